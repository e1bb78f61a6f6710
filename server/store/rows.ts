import { type RawBuilder, sql } from 'kysely'

/** Rows one INSERT may carry: 100 x 30 columns stays far below SQLite's 32,766 parameters. */
const rowsPerInsert = 100

/**
 * After every block and every time that there is. A search that has no end of its own gets this one: PostgreSQL takes a search open at
 * one end for a third of a table that it has no statistics of yet, as after a restore, and reads all of it.
 */
export const noEnd = Number.MAX_SAFE_INTEGER

/** Runs `insert` for slices of `rows` that one statement can carry; not at all for none. */
export async function inSlices<T>(rows: readonly T[], insert: (slice: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) await insert(rows.slice(from, from + rowsPerInsert))
}

/** Like `inSlices`, for reads: the answers of all slices in one list. */
export async function collectSlices<K, R>(keys: readonly K[], read: (slice: K[]) => Promise<R[]>): Promise<R[]> {
  const rows: R[] = []
  await inSlices(keys, async (slice) => {
    rows.push(...(await read(slice)))
  })
  return rows
}

/** What `doUpdateSet` takes to overwrite these columns with the values of the row that could not be inserted. */
export function replaceWith<C extends string>(columns: readonly C[]): Record<C, RawBuilder<never>> {
  return Object.fromEntries(columns.map((column) => [column, sql.ref<never>(`excluded.${column}`)])) as Record<
    C,
    RawBuilder<never>
  >
}
