import { sql } from 'kysely'
import type { Book } from './book.ts'
import type { Entity, SqlContext } from './entity.ts'
import type { Page } from './page.ts'
import { everything } from './parseWhere.ts'
import type { Row } from './row.ts'
import { matches, searchBook } from './searchBook.ts'
import { type Sql, tableOf } from './storedColumns.ts'

/** Rows of an entity as they were at an earlier block, in place of those that have changed since; undefined where none do. */
export function rowsOf(entity: Entity, { past }: Book): readonly Row[] | undefined {
  const { table } = tableOf(entity)
  return table === 'transactions' ? undefined : past?.rows[table]
}

/** What of a table's rows was the same at an earlier block already; nothing when the newest block is asked for. */
export function unchangedSince(entity: Entity, { past, block }: Book, { engine }: SqlContext): Sql[] {
  if (!past) return []
  const { table } = tableOf(entity)
  if (table.endsWith('_hours')) return [sql`t.start < ${startOf(past.hourStart)}`]
  if (table.endsWith('_days')) return [sql`t.start < ${startOf(past.dayStart)}`]
  if (table !== 'ticks') return [sql`(t.block_number + 0) <= ${sql.lit(block.number)}`]
  const created = sql`t.created_block <= ${sql.lit(block.number)}`
  const key = sql`(t.pool || '#' || cast(t.tick as text))`
  const { changedTicks } = past
  if (engine === 'postgres') return [created, sql`${key} <> all(cast(${[...changedTicks]} as text[]))`]
  return [created, sql`${key} not in (select value from json_each(${JSON.stringify(changedTicks)}))`]
}

/** Before the first event there is no hour, and no row before it. */
function startOf(seconds: number): Sql {
  return sql.lit(Number.isFinite(seconds) ? seconds : 0)
}

/** The page to read of the unchanged rows, so that the changed ones can be put among them. */
export function widen(entity: Entity, page: Page, { past }: Book): Page {
  return past && tableOf(entity).table in past.rows ? { ...page, first: page.first + page.skip, skip: 0 } : page
}

/** The page of an earlier block: unchanged rows as SQL sorted them, and changed ones as they were. */
export function addChanged(
  entity: Entity,
  page: Page,
  book: Book,
  rows: readonly Row[],
  isWanted: (row: Row) => boolean = () => true,
): Row[] {
  const changed = rowsOf(entity, book)
  if (!changed) return [...rows]
  const wanted = changed.filter((row) => isWanted(row) && matches(page.condition, row, book))
  return searchBook(entity, [...rows, ...wanted], { ...page, condition: everything }, book)
}
