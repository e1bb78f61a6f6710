import { type RawBuilder, sql } from 'kysely'

/** Rows one INSERT may carry: 100 x 30 columns stays far below SQLite's 32,766 parameters. */
const rowsPerInsert = 100

/**
 * After every block and every time that there is. A search that has no end of its own gets this one: PostgreSQL takes a search open at
 * one end for a third of a table that it has no statistics of yet, as after a restore, and reads all of it.
 */
export const noEnd = Number.MAX_SAFE_INTEGER

/**
 * Runs `insert` for slices of `rows` that one statement can carry; not at all for none. Each is begun while the one before is under
 * way, so that its SQL is made meanwhile: a transaction runs them in this order. When it ends, none is left under way.
 */
export async function inSlices<T>(rows: readonly T[], insert: (slice: T[]) => Promise<unknown>): Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  for (const slice of slicesOf(rows)) {
    const next = insert(slice)
    const ended = next.catch(() => undefined)
    await last.catch(async (error: unknown) => {
      await ended
      throw error
    })
    last = next
  }
  await last
}

/** For reads: the answers of all slices in one list. */
export async function collectSlices<K, R>(keys: readonly K[], read: (slice: K[]) => Promise<R[]>): Promise<R[]> {
  const rows: R[] = []
  for (const slice of slicesOf(keys)) rows.push(...(await read(slice)))
  return rows
}

function* slicesOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) yield rows.slice(from, from + rowsPerInsert)
}

/** What `doUpdateSet` takes to overwrite these columns with the values of the row that could not be inserted. */
export function replaceWith<C extends string>(columns: readonly C[]): Record<C, RawBuilder<never>> {
  return Object.fromEntries(columns.map((column) => [column, sql.ref<never>(`excluded.${column}`)])) as Record<
    C,
    RawBuilder<never>
  >
}
