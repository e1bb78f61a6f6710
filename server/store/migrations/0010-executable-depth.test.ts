import { type Address, createTickList, type Hex, noDepth } from '@chainboard/core'
import { expect, it } from 'vitest'
import { foldAll, pickChanged, storeChanges, storeTicks } from '../../indexer/storeWorld.ts'
import { emptyWorld } from '../../indexer/world.ts'
import { trader, usdc, wrapped, wrappedPool } from '../../testing/market.ts'
import { createTempStores, engines } from '../../testing/tempStores.ts'
import { emptyPoolState } from '../poolState.ts'
import { insertSwaps } from '../swaps.ts'
import { addExecutableDepth } from './0010-executable-depth.ts'

const stores = createTempStores()
const newColumns = ['depth0', 'depth1', 'first_swap_at'] as const

it.each(engines)('a pool indexed before gets its depth and first swap on %s as if it was indexed now', async (engine) => {
  const store = await stores.openNew(engine)
  const world = emptyWorld({ stables: [usdc], wrappedNative: wrapped, quotes: [], depthFloorUsdE18: 0n, windowSeconds: 600 })
  const made = { fee: 3_000, tickSpacing: 60, createdBlock: 1, createdAtSeconds: 100 }
  const unswapped = { firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined, reach: undefined }
  const pools = [wrappedPool, `0x${'cd'.repeat(20)}` as Address]
  for (const address of pools) {
    world.pools.set(address, { ...emptyPoolState, ...noDepth, ...made, ...unswapped, address, token0: usdc, token1: wrapped })
    world.ticks.set(address, createTickList())
  }
  const at = (blockNumber: number) => ({
    ...{ blockNumber, logIndex: 0, txHash: `0x${'01'.repeat(32)}` as Hex, timestampSeconds: 100 * blockNumber },
    ...{ pool: wrappedPool, sender: trader },
  })
  const price = { sqrtPriceX96: 2n ** 96n, tick: 0 }
  const mint = { ...at(2), kind: 'mint', owner: trader, tickLower: -60, tickUpper: 60, amount: 10n ** 18n } as const
  const swap = { kind: 'swap', recipient: trader, ...price, amount0: 0n, amount1: 0n, liquidity: 10n ** 18n } as const
  const opening = [{ ...at(1), kind: 'initialize', ...price } as const, { ...mint, amount0: 0n, amount1: 0n }]
  const swaps = [at(3), at(4)].map((place) => ({ ...place, ...swap }))
  const events = [...opening, ...swaps]
  await store.write(async (tx) => {
    await storeChanges(tx, pickChanged(world, { changes: foldAll(world, events), also: { pools, tokens: [] } }))
    await insertSwaps(tx, swaps, new Map())
    await storeTicks(tx, events, 1n)
  })
  const read = () =>
    store.read
      .selectFrom('pools')
      .select(['address', ...newColumns])
      .orderBy('address')
      .execute()
  const now = await read()
  // 0.2995 % of the liquidity: 60 ticks.
  expect(now.map((row) => [row.depth1.slice(0, 4), row.first_swap_at])).toEqual([
    ['2995', 300],
    ['0', null],
  ])
  await store.write(async (tx) => {
    for (const column of newColumns) await tx.schema.alterTable('pools').dropColumn(column).execute()
    await addExecutableDepth(engine).up(tx)
  })
  expect(await read()).toEqual(now)
})
