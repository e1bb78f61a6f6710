import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../store/store.ts'

/** Text that compares byte by byte, whatever the database's language; SQLite's does so by itself. */
export function binaryText(engine: Store['engine'], text: RawBuilder<unknown>): RawBuilder<unknown> {
  return engine === 'postgres' ? sql`(${text} collate "C")` : text
}
