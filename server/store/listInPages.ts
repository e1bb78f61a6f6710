import { setImmediate } from 'node:timers/promises'
import type { Address } from '@chainboard/core'

/** Rows read at once. All of a big exchange take longer than an answer: in between, answers have their turn. */
const pageRows = 200

/** Reads a long table by address, page by page. @param read no more than `limit` rows, those with the next higher addresses */
export async function listInPages<R extends { readonly address: Address }, T>(
  read: (after: Address, limit: number) => Promise<readonly R[]>,
  toItem: (row: R) => T,
): Promise<T[]> {
  const items: T[] = []
  // Before all addresses.
  let after: Address = '0x'
  for (;;) {
    const rows = await read(after, pageRows)
    for (const row of rows) items.push(toItem(row))
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return items
    after = last.address
    await setImmediate()
  }
}
