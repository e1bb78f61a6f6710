import { type Address, startOfDay, startOfHour } from '@chainboard/core'
import { askAgain } from '../store/oldDollars.ts'
import type { Store, Tx } from '../store/store.ts'
import { findCursor, lockCursor } from '../store/syncCursor.ts'
import { findNextEvent } from '../store/transactions.ts'

/**
 * Makes all stored dollars from a block on wrong, as another method would, and asks for these blocks to be valued again. Hours and
 * totals of what nothing happened to since hold no dollars of these blocks: they stay.
 */
export async function falsifyDollars(store: Store, fromBlock: number): Promise<void> {
  await store.write(async (tx) => {
    await lockCursor(tx)
    const newest = (await findCursor(tx))?.block?.number
    if (newest === undefined || fromBlock > newest) return
    const first = await findNextEvent(tx, fromBlock - 1)
    await askAgain(tx, fromBlock, newest)
    if (!first) return
    const wrong = '777'
    for (const table of ['swaps', 'pool_events'] as const)
      await tx.updateTable(table).set({ amount_usd: wrong }).where('block_number', '>=', fromBlock).execute()
    const pools = await listPoolsMovedFrom(tx, fromBlock)
    const tokens = await listTokensOf(tx, pools)
    const sums = { total_volume_usd: wrong, total_fees_usd: wrong }
    const collected = { collected_usd: wrong }
    const ofPool = { tvl_usd: wrong }
    const ofToken = { price_usd: wrong }
    const traded = { volume_usd: wrong, fees_usd: wrong }
    const candle = { open: wrong, high: wrong, low: wrong }
    await tx
      .updateTable('pools')
      .set({ ...ofPool, ...collected, ...sums })
      .where('address', 'in', pools)
      .execute()
    await tx
      .updateTable('tokens')
      .set({ ...ofToken, ...sums })
      .where('address', 'in', tokens)
      .execute()
    const hour = startOfHour(first.timestampSeconds)
    const day = startOfDay(first.timestampSeconds)
    const periods = [
      {
        ofPools: 'pool_hours',
        ofTokens: 'token_hours',
        exchange: 'exchange_hours',
        start: hour,
        ofPoolAlone: collected,
        own: {},
      },
      { ofPools: 'pool_days', ofTokens: 'token_days', exchange: 'exchange_days', start: day, ofPoolAlone: {}, own: sums },
    ] as const
    for (const { ofPools, ofTokens, exchange, start, ofPoolAlone, own } of periods) {
      await tx
        .updateTable(ofPools)
        .set({ ...ofPool, ...traded, ...ofPoolAlone, ...own })
        .where('start', '>=', start)
        .where('pool', 'in', pools)
        .execute()
      await tx
        .updateTable(ofTokens)
        .set({ ...ofToken, ...traded, ...candle, ...own })
        .where('start', '>=', start)
        .where('token', 'in', tokens)
        .execute()
      await tx
        .updateTable(exchange)
        .set({ ...traded, tvl_usd: wrong, native_usd: wrong })
        .where('start', '>=', start)
        .execute()
    }
  })
}

async function listPoolsMovedFrom(tx: Tx, fromBlock: number): Promise<Address[]> {
  const swapped = await tx.selectFrom('swaps').select('pool').where('block_number', '>=', fromBlock).execute()
  const others = await tx.selectFrom('pool_events').select('pool').where('block_number', '>=', fromBlock).execute()
  return [...new Set([...swapped, ...others].map(({ pool }) => pool))]
}

async function listTokensOf(tx: Tx, pools: readonly Address[]): Promise<Address[]> {
  const sides = await tx.selectFrom('pools').select(['token0', 'token1']).where('address', 'in', pools).execute()
  return [...new Set(sides.flatMap(({ token0, token1 }) => [token0, token1]))]
}
