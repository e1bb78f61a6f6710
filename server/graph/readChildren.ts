import { sql } from 'kysely'
import { choosePath, type Part, splitParts } from './choosePath.ts'
import type { DerivedField, Entity } from './entity.ts'
import { refuseGone } from './keptRows.ts'
import type { Page } from './page.ts'
import { addChanged, widen } from './pastRows.ts'
import {
  alongOrder,
  ofKind,
  type Reading,
  rowsAtMost,
  run,
  selectSql,
  spendChanged,
  tooManyRows,
  weighParts,
} from './readPage.ts'
import type { Row } from './row.ts'
import { among, toSql } from './sqlCondition.ts'
import { fromOf, tableOf } from './storedColumns.ts'
import { ownerWork, sqlWork, weighOrder } from './work.ts'

/** Parents whose lists travel in one statement. */
export const parentsPerStatement = 100

/**
 * A page of children for each of some parents, in their order: one statement for up to a hundred of them. `column` names the parent in the child's table.
 * @throws GraphRefusal when too many rows would have to be looked through
 */
export async function readChildren(
  reading: Reading,
  { entity, column, page }: { entity: Entity; column: DerivedField['column']; page: Page },
  parents: readonly string[],
): Promise<Row[][]> {
  if (page.first === 0) return parents.map(() => [])
  reading.spendWork(ownerWork(page, reading.book))
  const parts = splitParts(entity, page.condition, reading.book)
  refuseGone(reading.book.kept, entity, parts)
  const orderIndexed = await mayRide(reading, { entity, column, page }, parts, parents)
  const statement = orderIndexed
    ? selectArms(reading, { entity, column, page }, parts, parents)
    : selectGroups(reading, { entity, column, page }, parts, parents)
  const rows = await run(reading, statement)
  reading.spendRows(rows.length)
  const groups = new Map<string, Row[]>(parents.map((parent) => [parent, []]))
  for (const row of rows) groups.get(String(row[column]))?.push(row)
  const { book } = reading
  return parents.map((parent) => {
    spendChanged(reading, entity, page)
    return addChanged(entity, page, book, groups.get(parent) ?? [], (row) => row[column] === parent)
  })
}

/** One limited select for each parent, which ends with its limit. */
function selectArms(reading: Reading, { entity, column, page }: Children, parts: readonly Part[], parents: readonly string[]) {
  const { book } = reading
  const indexed = parts.filter(({ serves }) => serves === 'time')
  const wide = widen(entity, page, book)
  const columns = alongOrder(reading, entity, page)
  const arms = parents.map((parent, i) => {
    const edge = among(column, [parent], { ...columns, book, indexed: true })
    return sql`select * from (${selectSql(reading, entity, wide, { parts, indexed, orderIndexed: true, edge })}) as ${sql.ref(`a${i}`)}`
  })
  return sql<Row>`${sql.join(arms, sql` union all `)}`
}

/** One select for all parents, which sorts each one's rows: what the conditions and the order need of pools is given to it once. */
function selectGroups(reading: Reading, { entity, column, page }: Children, parts: readonly Part[], parents: readonly string[]) {
  const { engine, book } = reading
  const edge = among(column, parents, { engine, book, entity, indexed: true })
  return selectSql(reading, entity, widen(entity, page, book), { parts, indexed: [], orderIndexed: false, edge, group: column })
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
  const ofTransaction = column !== owner?.column && column === head.column
  if (ofTransaction && parts.length === 0) return false
  const own: Part = { condition: { kind: 'all', of: [] }, serves: 'owner', owners: 1 }
  if (!ofTransaction && choosePath(entity, page, [own, ...parts.filter(({ serves }) => serves !== 'owner')]).kind === 'direct') {
    if (!parts.some(({ serves }) => serves === 'owner' || serves === 'point')) {
      reading.spendWork(parents.length * (page.first + page.skip))
      return true
    }
  }
  const served = parts.filter(({ serves }) => serves === 'time')
  const weight = weighParts(parts, served) + weighOrder(page)
  const max = rowsAtMost(reading, weight)
  const count = await countUpToOf(reading, { entity, column, page }, served, parents, max)
  if (count > max) throw tooManyRows(max)
  reading.spendWork(sqlWork(count, weight))
  return false
}

/** How many rows the parents have; more than `max` is not counted to its end. */
async function countUpToOf(
  reading: Reading,
  { entity, column }: Children,
  times: readonly Part[],
  parents: readonly string[],
  max: number,
): Promise<number> {
  const { engine, book } = reading
  const where = [
    ...ofKind(entity),
    among(column, parents, { engine, book, entity, indexed: true }),
    ...times.map(({ condition }) => toSql(condition, { engine, book, entity, indexed: true })),
  ]
  const counted = sql`select 1 ${fromOf({ engine, entity })} where ${sql.join(where, sql` and `)} limit ${sql.lit(max + 1)}`
  const [row] = await run(reading, sql<{ n: number }>`select count(*) as n from (${counted}) as c`)
  return Number(row?.n ?? 0)
}
