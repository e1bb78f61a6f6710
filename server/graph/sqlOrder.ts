import { sql } from 'kysely'
import type { Book } from './book.ts'
import { compareKeys } from './compareValues.ts'
import { getEntity } from './entities/entities.ts'
import type { ColumnContext, ReferenceField, ScalarField } from './entity.ts'
import { SchemaFault } from './graphError.ts'
import type { Page } from './page.ts'
import { bookRows, fieldKey } from './searchBook.ts'
import { transactionOfEvent } from './sqlCondition.ts'
import { formOf, numberOrder, orderOf, type Sql, tableOf } from './storedColumns.ts'

/** What an `order by` is written for. `indexed` as for conditions: otherwise no index can be taken for the order's sake. */
export type OrderContext = ColumnContext & { readonly book: Book; readonly indexed: boolean }

/**
 * The `order by` of a page, and a join that it needs: places of pools or tokens that are sorted by what only memory knows.
 */
export function toOrder({ order, descending }: Page, context: OrderContext): Ordering {
  const { head, id } = tableOf(context.entity)
  if (order.kind === 'id') {
    const [first, ...rest] = id.order(context)
    // A number that is an id by itself.
    const by =
      !first || context.indexed || head.length > 0
        ? [first, ...rest].flatMap((key) => key ?? [])
        : [hidden(first, false), ...rest]
    return { by: direct(by, descending), join: sql`` }
  }
  if (order.kind === 'nested') return byReference(order, descending, context)
  const { field } = order
  if (field.kind === 'reference') return byReference({ field }, descending, context)
  return { by: direct([...scalarKeys(field, context), ...id.order({ ...context, behind: true })], descending), join: sql`` }
}

type Ordering = { readonly by: Sql; readonly join: Sql }

/** By another entity: by its id, or by what it has in a field of its own. */
type ByReference = { readonly field: ReferenceField; readonly child?: ScalarField }

function byReference(by: ByReference, descending: boolean, context: OrderContext): Ordering {
  const { field, child } = by
  const { id, owner } = tableOf(context.entity)
  const byId = id.order({ ...context, behind: true })
  if (field.entity === 'Transaction') {
    const keys =
      child && child.name !== 'id'
        ? scalarKeys(child, { ...context, entity: transactionOfEvent() })
        : orderOf('tx_hash', { ...context, indexed: false })
    return { by: direct([...keys, ...byId], descending), join: sql`` }
  }
  const ranks = rankOwners(by, context)
  return {
    by: direct([sql`r.place`, ...byId], descending),
    join: joinRanks(ranks, owner?.column ?? 'pool', context),
  }
}

function direct(keys: readonly Sql[], descending: boolean): Sql {
  return sql.join(keys.map((key) => (descending ? sql`${key} desc` : sql`${key} asc`)))
}

/** The same value, by no index. */
function hidden(key: Sql, isText: boolean): Sql {
  return isText ? sql`(${key} || '')` : sql`(${key} + 0)`
}

function scalarKeys(field: ScalarField, context: OrderContext): Sql[] {
  const { sql: source } = field
  if (!source) return []
  if (source.kind === 'id') return [...tableOf(context.entity).id.order(context)]
  const exact = source.kind === 'exact' ? source.column : source.kind === 'double' ? source.sortsAs : undefined
  if (exact !== undefined) return [...nothingOf(field, sql.ref(`t.${exact}`)), ...numberOrder(exact, context)]
  const value = source.kind === 'double' ? source.expression(context) : sql.ref(`t.${source.column}`)
  const nothing = source.kind === 'double' ? [] : nothingOf(field, value)
  if (source.kind === 'text') return [...nothing, ...orderOf(source.column, { ...context, indexed: false })]
  return [...nothing, source.kind === 'integer' && !context.indexed ? hidden(value, false) : value]
}

/** Nothing comes last where the order ascends, in both databases. */
function nothingOf({ nullable }: ScalarField, value: Sql): Sql[] {
  return nullable ? [sql`(case when ${value} is null then 1 else 0 end)`] : []
}

/** The place of each pool or token in the wanted order; equal ones share it. */
function rankOwners({ field, child }: ByReference, { entity, book }: OrderContext): Record<string, number> {
  const { owner } = tableOf(entity)
  if (!owner) throw new SchemaFault(`${entity.name} belongs to nothing`)
  const targets = bookRows(getEntity(field.entity), book)
  const keyed = [...bookRows(getEntity(owner.entity), book)].map(([id, row]) => {
    // The token of an event is its pool's.
    const targetId = field.column ? id : String(row[field.name])
    const target = targets.get(targetId)
    return { id, key: child ? (target ? fieldKey(child, target, book) : null) : targetId }
  })
  keyed.sort((a, b) => compareKeys(a.key, b.key))
  const places: Record<string, number> = {}
  let place = 0
  keyed.forEach(({ id, key }, i) => {
    if (i > 0 && compareKeys(keyed[i - 1]?.key ?? null, key) !== 0) place += 1
    places[id] = place
  })
  return places
}

function joinRanks(places: Record<string, number>, column: string, context: OrderContext): Sql {
  const list = JSON.stringify(places)
  const ids = formOf(context, column) === 'address' ? sql`a.id` : sql`key`
  const addresses = formOf(context, column) === 'address' ? sql`join addresses as a on a.address = key` : sql``
  const table =
    context.engine === 'postgres'
      ? sql`(select key as id, cast(value as bigint) as place from jsonb_each_text(cast(${list} as jsonb)))`
      : sql`(select ${ids} as id, value as place from json_each(${list}) ${addresses})`
  return sql`join ${table} as r on r.id = ${sql.ref(`t.${column}`)}`
}
