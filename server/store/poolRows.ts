import type { Address } from '@chainboard/core'
import { sql } from 'kysely'
import { findForm } from './sqlite/packedColumns.ts'
import type { Db, Tx } from './store.ts'
import { insertRows, readInOrder, type TableRow, withoutPlace } from './tableRows.ts'

// All rows of pools, from an index in an SQLite file of its own into another index.

/** Each has the pool in this column; tokens are of several pools. */
const tables = {
  pools: 'address',
  swaps: 'pool',
  pool_events: 'pool',
  fee_protocols: 'pool',
  pool_hours: 'pool',
  pool_days: 'pool',
  pool_spans: 'pool',
  ticks: 'pool',
  doubts: 'pool',
} as const

/** How many events each pool has, by address: pools without any, too. */
export async function countPoolEvents(db: Db): Promise<ReadonlyMap<Address, number>> {
  const { rows } = await sql<{ pool: Address; events: number }>`
    select p.address as pool, coalesce(s.n, 0) + coalesce(e.n, 0) as events from pools p
    left join addresses a on a.address = p.address
    left join (select pool, count(*) as n from swaps group by pool) s on s.pool = a.id
    left join (select pool, count(*) as n from pool_events group by pool) e on e.pool = a.id
    order by p.address`.execute(db)
  return new Map(rows.map(({ pool, events }) => [pool, events]))
}

/**
 * Copies all rows of pools as they are.
 * @param from an index in SQLite; nobody writes it meanwhile
 * @returns the first block with an event of theirs; undefined without one
 */
export async function copyPools(from: Db, tx: Tx, pools: readonly Address[]): Promise<number | undefined> {
  let first: number | undefined
  for (const [table, column] of Object.entries(tables)) {
    const isOfEvents = table === 'swaps' || table === 'pool_events'
    for await (const rows of readPages(from, table, { column, pools })) {
      await insertRows(tx, table, rows)
      if (!isOfEvents) continue
      for (const { block_number: block } of rows) if (typeof block === 'number') first = Math.min(first ?? block, block)
    }
  }
  return first
}

type OfPools = { readonly column: string; readonly pools: readonly Address[] }

async function* readPages(from: Db, table: string, { column, pools }: OfPools): AsyncGenerator<readonly TableRow[]> {
  const addresses = sql.join(pools)
  const keys = findForm(table, column) ? sql`select id from addresses where address in (${addresses})` : addresses
  // The plus keeps the order of the rows: by an index of pools, every page would sort all of their rows.
  for await (const rows of readInOrder(from, table, sql`+${sql.ref(column)} in (${keys})`)) yield rows.map(withoutPlace)
}
