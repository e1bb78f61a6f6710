import { sql } from 'kysely'
import { choosePath, type Part, splitParts } from './choosePath.ts'
import type { DerivedField, Entity, Row } from './entity.ts'
import type { Page } from './page.ts'
import { addChanged, widen } from './pastRows.ts'
import { ofKind, type Reading, rowsLookedThroughMax, run, selectSql, tooManyRows } from './readPage.ts'
import { among, tableOf, toSql } from './sqlCondition.ts'

/** Parents whose lists travel in one statement. */
export const parentsPerStatement = 100

/**
 * A page of children for each of some parents, in their order: one statement for up to a hundred of them, made of one limited
 * select for each. `column` names the parent in the child's table.
 * @throws GraphRefusal when too many rows would have to be looked through
 */
export async function readChildren(
  reading: Reading,
  { entity, column, page }: { entity: Entity; column: DerivedField['column']; page: Page },
  parents: readonly string[],
): Promise<Row[][]> {
  if (page.first === 0) return parents.map(() => [])
  const parts = splitParts(entity, page.condition, reading.book)
  const orderIndexed = await mayRide(reading, { entity, column, page }, parts, parents)
  const indexed = parts.filter(({ serves }) => orderIndexed && serves === 'time')
  const { engine, book } = reading
  const arms = parents.map((parent, i) => {
    const edge = among(column, [parent], { engine, book, entity, indexed: true })
    return sql`select * from (${selectSql(reading, entity, widen(entity, page, book), { parts, indexed, orderIndexed, edge })}) as ${sql.ref(`a${i}`)}`
  })
  const rows = await run<Row>(reading, sql.join(arms, sql` union all `))
  reading.spendRows(rows.length)
  const groups = new Map<string, Row[]>(parents.map((parent) => [parent, []]))
  for (const row of rows) groups.get(String(row[column]))?.push(row)
  return parents.map((parent) => addChanged(entity, page, book, groups.get(parent) ?? [], (row) => row[column] === parent))
}

type Children = { readonly entity: Entity; readonly column: string; readonly page: Page }

/** Whether each parent's list comes in order out of an index; when not, whether few enough rows have to be looked through. */
async function mayRide(
  reading: Reading,
  { entity, column, page }: Children,
  parts: readonly Part[],
  parents: readonly string[],
): Promise<boolean> {
  const { owner, head } = tableOf(entity)
  // The events of one transaction are few: they fit into a block.
  if (column !== owner?.column && column === head.column) return false
  const own: Part = { condition: { kind: 'all', of: [] }, serves: 'owner', owners: 1 }
  if (choosePath(entity, page, [own, ...parts.filter(({ serves }) => serves !== 'owner')]).kind === 'direct') {
    if (!parts.some(({ serves }) => serves === 'owner' || serves === 'point')) return true
  }
  const max = reading.lookedThroughMax ?? rowsLookedThroughMax
  if (await isAtMostOf(reading, { entity, column, page }, parts, parents, max)) return false
  throw tooManyRows(max)
}

async function isAtMostOf(
  reading: Reading,
  { entity, column }: Children,
  parts: readonly Part[],
  parents: readonly string[],
  max: number,
) {
  const { engine, book } = reading
  const times = parts.filter(({ serves }) => serves === 'time')
  const where = [
    ...ofKind(entity),
    among(column, parents, { engine, book, entity, indexed: true }),
    ...times.map(({ condition }) => toSql(condition, { engine, book, entity, indexed: true })),
  ]
  const counted = sql`select 1 from ${sql.table(tableOf(entity).table)} as t where ${sql.join(where, sql` and `)} limit ${sql.lit(max + 1)}`
  const [row] = await run<{ n: number }>(reading, sql`select count(*) as n from (${counted}) as c`)
  return (row?.n ?? 0) <= max
}
