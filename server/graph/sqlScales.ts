import { sql } from 'kysely'
import type { ColumnContext, Field, Scales } from './entity.ts'
import type { Page } from './page.ts'
import type { Condition } from './parseWhere.ts'
import { formOf, type Sql } from './storedColumns.ts'

const power = (decimals: Sql) => sql`cast('1e' || coalesce(${decimals}, 0) as double precision)`

/** A left join leaves the table `t` the outer one, so that its own index still gives the rows and their order. */
const joins: Readonly<Record<Scales, (context: ColumnContext) => Sql>> = {
  'of pool': (context) => sql`left join (
    select ${ownerOf(sql`p.address`, 'pool', context)} as owner,
      ${power(sql`k0.decimals`)} as scale0, ${power(sql`k1.decimals`)} as scale1
    from pools p left join tokens k0 on k0.address = p.token0 left join tokens k1 on k1.address = p.token1
  ) as d on d.owner = t.pool`,
  'of token': (context) => sql`left join (
    select ${ownerOf(sql`k.address`, 'token', context)} as owner, ${power(sql`k.decimals`)} as scale from tokens k
  ) as d on d.owner = t.token`,
}

/** An address as the rows have it that belong to it. */
function ownerOf(address: Sql, column: string, context: ColumnContext): Sql {
  return formOf(context, column) === 'address' ? sql`(select id from addresses where address = ${address})` : address
}

/** The join that a page's decimals of tokens need; nothing when it compares and sorts by none. */
export function joinScales({ condition, order }: Page, context: ColumnContext): Sql {
  const scales = scalesOf(condition) ?? (order.kind === 'field' ? scalesOfField(order.field) : undefined)
  return scales ? joins[scales](context) : sql``
}

function scalesOf(condition: Condition): Scales | undefined {
  if (condition.kind === 'compare') return scalesOfField(condition.field)
  // What is nested is asked of memory, or of a transaction, which has no decimals.
  if (condition.kind !== 'all' && condition.kind !== 'any') return undefined
  for (const each of condition.of) {
    const scales = scalesOf(each)
    if (scales) return scales
  }
  return undefined
}

function scalesOfField(field: Field): Scales | undefined {
  return field.kind === 'scalar' && field.sql?.kind === 'double' ? field.sql.scales : undefined
}
