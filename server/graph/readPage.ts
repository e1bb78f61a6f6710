import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../store/store.ts'
import type { Book } from './book.ts'
import { choosePath, type Part, type Path, splitParts } from './choosePath.ts'
import type { ColumnContext, Entity, SqlContext } from './entity.ts'
import { GraphRefusal } from './graphError.ts'
import { refuseGone } from './keptRows.ts'
import type { Page } from './page.ts'
import { addChanged, rowsOf, unchangedSince, widen } from './pastRows.ts'
import type { Row } from './row.ts'
import { toSql } from './sqlCondition.ts'
import { toOrder } from './sqlOrder.ts'
import { joinScales } from './sqlScales.ts'
import { eventTables, fromOf, goesByOwner, isAnything, isBeyond, orderOf, type Sql, tableOf, textOf } from './storedColumns.ts'
import { memoryWork, ownerWork, rowsWithin, sqlWork, weighCondition, weighOrder } from './work.ts'

/** Rows that one list may look through where no index leads straight to its rows, with one condition or order; with more, fewer. */
export const rowsLookedThroughMax = 200_000

/** What reading needs: the database, its engine, the book of the block, and who counts the rows. */
export type Reading = SqlContext & {
  readonly db: Db
  readonly book: Book
  /** @throws GraphRefusal when a query has read more rows than one may */
  readonly spendRows: (count: number) => void
  /** @throws GraphRefusal when a query has looked through more than one may; in the units of `work.ts` */
  readonly spendWork: (units: number) => void
  /** Rows that a list may look through, for tests of the limit. */
  readonly lookedThroughMax?: number
}

/**
 * A page of an entity that is kept in a table: one statement, and one or two that make sure before that it is a small one.
 * @throws GraphRefusal when too many rows would have to be looked through
 */
export async function readPage(reading: Reading, entity: Entity, page: Page): Promise<Row[]> {
  reading.spendWork(ownerWork(page, reading.book))
  const parts = splitParts(entity, page.condition, reading.book)
  refuseGone(reading.book.kept, entity, parts)
  if (page.first === 0 || parts.some(({ serves, owners }) => serves === 'owner' && owners === 0)) return []
  const wide = widen(entity, page, reading.book)
  const rows = await readAlong(reading, entity, wide, parts, choosePath(entity, page, parts))
  reading.spendRows(rows.length)
  spendChanged(reading, entity, page)
  return addChanged(entity, page, reading.book, rows)
}

async function readAlong(reading: Reading, entity: Entity, page: Page, parts: readonly Part[], path: Path): Promise<Row[]> {
  if (path.kind === 'direct') {
    await spendDirect(reading, entity, page, parts, path)
    const edge = path.column === undefined ? undefined : isAnything(path.column, alongOrder(reading, entity, page))
    return select(reading, entity, page, { parts, indexed: parts, orderIndexed: true, ...(edge && { edge }) })
  }
  const weight = weighParts(parts, path.narrows) + weighOrder(page)
  const max = rowsAtMost(reading, weight)
  const count = await countUpTo(reading, entity, path.narrows, max)
  if (count !== undefined) {
    reading.spendWork(sqlWork(count, weight))
    return select(reading, entity, page, { parts, indexed: path.narrows, orderIndexed: false })
  }
  if (!path.rides) throw tooManyRows(max)
  return ride(reading, entity, page, parts, path.rides)
}

/** Rows of known ids are few, but not for as many conditions as a filter may have; in the order of an index, a limit ends the reading. */
async function spendDirect(
  reading: Reading,
  entity: Entity,
  page: Page,
  parts: readonly Part[],
  { column }: Path & { kind: 'direct' },
): Promise<void> {
  if (column !== undefined) return reading.spendWork(page.first + page.skip)
  const points = parts.filter(({ serves }) => serves === 'point')
  const weight = weighParts(parts, points)
  if (weight === 0) return
  const max = rowsAtMost(reading, weight)
  const count = await countUpTo(reading, entity, points, max)
  if (count === undefined) throw tooManyRows(max)
  reading.spendWork(sqlWork(count, weight))
}

/** Reads in the order of an index, no further than a list may. */
async function ride(
  reading: Reading,
  entity: Entity,
  page: Page,
  parts: readonly Part[],
  { column, along }: NonNullable<(Path & { kind: 'counted' })['rides']>,
): Promise<Row[]> {
  const weight = weighParts(parts, along)
  const max = rowsAtMost(reading, weight)
  reading.spendWork(sqlWork(max, weight))
  const edge = await findEdge(reading, entity, { column, along, page, max })
  const rows = await select(reading, entity, page, {
    parts,
    indexed: along,
    orderIndexed: true,
    edge: edge ?? isAnything(column, alongOrder(reading, entity, page)),
  })
  if (edge && rows.length < page.first) throw tooManyRows(max)
  return rows
}

/** Counts what an earlier block costs: its changed rows are held against the page in memory. */
export function spendChanged({ book, spendWork }: Reading, entity: Entity, page: Page): void {
  const changed = rowsOf(entity, book)
  if (changed) spendWork(memoryWork(entity, changed.length, page, book))
}

/** Where a page is read in its order. */
export function alongOrder({ engine }: SqlContext, entity: Entity, { order }: Page): ColumnContext {
  return { engine, entity, ownerFirst: order.kind === 'id' && goesByOwner({ engine, entity }) }
}

/** Says what would make the query one that is answered. */
export function tooManyRows(max: number): GraphRefusal {
  return new GraphRefusal(
    `The query would scan more than ${max} rows: add a pool, a token, ids or a narrower time to its \`where\`, or order by time or id`,
  )
}

type Selection = {
  readonly parts: readonly Part[]
  /** The parts that an index may be used for. */
  readonly indexed: readonly Part[]
  readonly orderIndexed: boolean
  /**
   * A last condition, on the column of the order. SQLite takes the index of an order that only begins with its column when a condition is
   * on that column too, and sorts the whole table otherwise: at the least one that holds for every row.
   */
  readonly edge?: Sql
  /** The column of the parents, where every one of them has a page of its own. */
  readonly group?: string
}

async function select(reading: Reading, entity: Entity, page: Page, selection: Selection): Promise<Row[]> {
  return run(reading, selectSql(reading, entity, page, selection))
}

/** The one statement that reads a page. */
export function selectSql(
  reading: Reading,
  entity: Entity,
  page: Page,
  { parts, indexed, orderIndexed, edge, group }: Selection,
): RawBuilder<Row> {
  const { engine, book } = reading
  const columns = orderIndexed ? alongOrder(reading, entity, page) : { engine, entity }
  const where = [
    ...ofKind(entity),
    ...unchangedSince(entity, book, reading),
    ...parts.map((part) => toSql(part.condition, { ...columns, book, indexed: indexed.includes(part) })),
    ...(edge ? [edge] : []),
  ]
  const { by, join } = toOrder(page, { ...columns, book, indexed: orderIndexed })
  const joins = sql`${joinScales(page, columns)} ${join}`
  if (!group) return inOrder<Row>(columns, { what: sql`t.*`, joins, where, by, first: page.first, skip: page.skip })
  const from = sql`${fromOf(columns)} ${joins} ${whereOf(where)}`
  const placed = sql`select t.*, row_number() over (partition by ${sql.ref(`t.${group}`)} order by ${by}) as place_in_list ${from}`
  return sql<Row>`select * from (${placed}) as p
    where place_in_list > ${sql.lit(page.skip)} and place_in_list <= ${sql.lit(page.skip + page.first)} order by place_in_list`
}

type InOrder = {
  readonly what: Sql
  readonly joins: Sql
  readonly where: readonly Sql[]
  readonly by: Sql
  readonly first: number
  readonly skip: number
}

/** The next rows of an order. Of transactions each table of events gives as many, by its own indexes: of both at once PostgreSQL reads all. */
function inOrder<R>(columns: ColumnContext, { what, joins, where, by, first, skip }: InOrder): RawBuilder<R> {
  const end = sql`order by ${by} limit ${sql.lit(first)} offset ${sql.lit(skip)}`
  if (tableOf(columns.entity).table !== 'transactions')
    return sql<R>`select ${what} ${fromOf(columns)} ${joins} ${whereOf(where)} ${end}`
  const parts = eventTables.map(
    (table) => sql`select * from (
      select t.* ${fromOf(columns, table)} ${whereOf(where)} order by ${by} limit ${sql.lit(first + skip)}) as ${sql.ref(table)}`,
  )
  return sql<R>`select ${what} from (${sql.join(parts, sql` union all `)}) as t ${end}`
}

/** How many rows meet the parts that indexes serve; undefined for more than `max`. */
async function countUpTo(reading: Reading, entity: Entity, parts: readonly Part[], max: number): Promise<number | undefined> {
  const { engine, book } = reading
  const where = [...ofKind(entity), ...parts.map(({ condition }) => toSql(condition, { engine, book, entity, indexed: true }))]
  const [row] = await run(
    reading,
    sql<{
      n: number
    }>`select count(*) as n from (select 1 ${fromOf({ engine, entity })} ${whereOf(where)} limit ${sql.lit(max + 1)}) as c`,
  )
  const count = Number(row?.n ?? 0)
  return count <= max ? count : undefined
}

/** What the parts weigh that no index serves. */
export function weighParts(parts: readonly Part[], served: readonly Part[]): number {
  return parts.filter((part) => !served.includes(part)).reduce((sum, { condition }) => sum + weighCondition(condition), 0)
}

/** Rows that one list may look through when each is held against conditions of some weight. */
export function rowsAtMost({ lookedThroughMax = rowsLookedThroughMax }: Reading, weight: number): number {
  return rowsWithin(lookedThroughMax, weight)
}

type Edge = { readonly column: string; readonly along: readonly Part[]; readonly page: Page; readonly max: number }

/** The condition that keeps a page within the first `max` rows of the order's index; undefined when there are no more. */
async function findEdge(reading: Reading, entity: Entity, { column, along, page, max }: Edge): Promise<Sql | undefined> {
  const { book } = reading
  const columns = alongOrder(reading, entity, page)
  const where = [
    ...ofKind(entity),
    isAnything(column, columns),
    ...along.map(({ condition }) => toSql(condition, { ...columns, book, indexed: true })),
  ]
  const isTime = column === tableOf(entity).time
  const place = isTime ? sql.ref(`t.${column}`) : textOf(column, columns)
  const order = isTime ? [place] : orderOf(column, { ...columns, indexed: true })
  const direction = page.descending ? sql`desc` : sql`asc`
  const [row] = await run(
    reading,
    inOrder<{ edge: string | number }>(columns, {
      ...{ what: sql`${place} as edge`, joins: sql``, where, first: 1, skip: max },
      by: sql.join(order.map((key) => sql`${key} ${direction}`)),
    }),
  )
  if (!row) return undefined
  const sign = page.descending ? '>=' : '<='
  return isTime ? sql`${place} ${sql.raw(sign)} ${row.edge}` : isBeyond(column, sign, String(row.edge), columns)
}

/** Nothing for an entity that has its table for itself. */
export function ofKind(entity: Entity): Sql[] {
  const { eventKind } = tableOf(entity)
  return eventKind ? [sql`t.kind = ${sql.lit(eventKind)}`] : []
}

function whereOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}

/** The rows of a statement; `R` is what it selects. */
export async function run<R>({ db }: Reading, statement: RawBuilder<R>): Promise<R[]> {
  return (await statement.execute(db)).rows
}
