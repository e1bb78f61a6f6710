import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { wholeIndex } from '../store/indexSwitch.ts'
import { setKeptSince } from '../store/keptSince.ts'
import { emptyPoolState } from '../store/poolState.ts'
import { upsertPools } from '../store/pools.ts'
import type { SwapPlace } from '../store/swapFeed.ts'
import { insertSwaps, type Swap } from '../store/swaps.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { type FeedFilter, readSwapFeed, streamSwapFeed, toLegs } from './swapFeed.ts'

const stores = createTempStores()
const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const [gold, coin, other] = [address(0x10), address(0x50), address(0x60)]
const [ann, bob] = [address(0xb1), address(0xb2)]
const e18 = 10n ** 18n

/** Swap n, in block n: of n dollars, odd ones buy gold (token0), by ann and bob in turns of two. */
function toSwap(n: number, pool: Address): Swap {
  const amounts = n % 2 === 1 ? { amount0: -5n, amount1: 7n } : { amount0: 5n, amount1: -7n }
  return {
    ...{ kind: 'swap', blockNumber: n, logIndex: 0, pool, txHash: `0x${'c1'.repeat(32)}` as Hex, timestampSeconds: 100 + n },
    ...{ sender: address(0x77), recipient: n % 4 < 2 ? ann : bob, ...amounts },
    ...{ sqrtPriceX96: 2n ** 96n, liquidity: 1n, tick: 0 },
  }
}

describe.each(engines)('the feed on %s', (engine) => {
  /** 24 swaps: in turn in each of so many pools of gold and coin, but for every sixth one, in a pool without gold. */
  const fill = async (pools: number) => {
    const store = await stores.openNew(engine)
    const foreign = address(0xff)
    const poolOf = (n: number) => (n % 6 === 0 ? foreign : address(0xa00 + (n % pools)))
    const swaps = Array.from({ length: 24 }, (_, i) => toSwap(i + 1, poolOf(i + 1)))
    const made = { ...emptyPoolState, fee: 500, tickSpacing: 10, tick: 0, createdBlock: 1, createdAtSeconds: 10 }
    const rest = { firstSwapAtSeconds: 101, depth0: 0n, depth1: 0n, reach: undefined, token1: coin }
    const lastOf = (pool: Address) => Math.max(...swaps.filter((swap) => swap.pool === pool).map((s) => s.timestampSeconds))
    await store.write(async (tx) => {
      await insertSwaps(tx, swaps, new Map(swaps.map(({ blockNumber: n }) => [`${n}:0`, BigInt(n) * e18])))
      const own = [...new Set(swaps.map(({ pool }) => pool))]
      const rows = own.map((pool) => ({
        token0: pool === foreign ? other : gold,
        lastSwapAtSeconds: lastOf(pool),
        address: pool,
      }))
      await upsertPools(
        tx,
        rows.map((row) => ({ ...made, ...rest, ...row })),
      )
    })
    return { store, index: wholeIndex(store) }
  }
  type Index = ReturnType<typeof wholeIndex>
  /** The blocks of all pages, and how many pages stopped before they were full. */
  const walk = async (index: Index, filter: FeedFilter, { limit = 5, rowsMax = 1_000 } = {}) => {
    const blocks: number[] = []
    let [stops, pages] = [0, 0]
    for (let before: SwapPlace | undefined; pages < 99; pages += 1) {
      const page = await readSwapFeed(index, { ...filter, before, limit }, rowsMax)
      blocks.push(...page.swaps.map(({ swap }) => swap.blockNumber))
      if (page.searchedToSeconds !== undefined) stops += 1
      if (!page.next) break
      before = page.next
    }
    return { blocks, stops }
  }

  it('finds by token, side, size and wallet, each swap once and none too many', async () => {
    const { index } = await fill(3)
    expect((await walk(index, {})).blocks).toEqual(Array.from({ length: 24 }, (_, i) => 24 - i))
    const ofGold = [23, 22, 21, 20, 19, 17, 16, 15, 14, 13, 11, 10, 9, 8, 7, 5, 4, 3, 2, 1]
    expect((await walk(index, { token: gold })).blocks).toEqual(ofGold)
    expect((await walk(index, { token: gold, side: 'buy', usdE18Min: 15n * e18 })).blocks).toEqual([23, 21, 19, 17, 15])
    expect((await walk(index, { token: gold, wallet: bob })).blocks).toEqual([23, 22, 19, 15, 14, 11, 10, 7, 3, 2])
    // Coin is the other side: what sells gold buys it.
    expect((await walk(index, { token: coin, side: 'buy', usdE18Min: 20n * e18 })).blocks).toEqual([24, 22, 20])
    expect((await walk(index, { pool: address(0xff) })).blocks).toEqual([24, 18, 12, 6])
  })

  it('is the same for a token of more pools than are read one by one', async () => {
    const { index } = await fill(20)
    expect((await walk(index, { token: gold })).blocks).toEqual((await walk((await fill(3)).index, { token: gold })).blocks)
  })

  it('stops a search that finds little, says how far it came, and continues from there', async () => {
    const { index } = await fill(3)
    const first = await readSwapFeed(index, { usdE18Min: 999n * e18, limit: 5 }, 10)
    expect(first).toMatchObject({ swaps: [], searchedToSeconds: 115, next: { blockNumber: 15 } })
    expect(await walk(index, { usdE18Min: 24n * e18 }, { rowsMax: 4 })).toEqual({ blocks: [24], stops: 6 })
    expect(await walk(index, { token: gold, side: 'sell' }, { limit: 2, rowsMax: 4 })).toMatchObject({
      blocks: [22, 20, 16, 14, 10, 8, 4, 2],
    })
  })

  it('says since when swaps are kept', async () => {
    const { index, store } = await fill(3)
    expect((await readSwapFeed(index, { limit: 1 })).sinceSeconds).toBeUndefined()
    await store.write((tx) => setKeptSince(tx, 'swaps', 110))
    expect((await readSwapFeed(index, { limit: 1 })).sinceSeconds).toBe(110)
    const late = { use: (work: Parameters<typeof index.use>[0]) => work({ store, sinceSeconds: 120 }) } as typeof index
    expect((await readSwapFeed(late, { limit: 1 })).sinceSeconds).toBe(120)
  })

  it('has all that pass in a file', async () => {
    const { index } = await fill(3)
    const blocks: number[] = []
    for await (const swaps of streamSwapFeed(index, { token: gold, side: 'sell' }))
      blocks.push(...swaps.map(({ swap }) => swap.blockNumber))
    expect(blocks).toEqual([22, 20, 16, 14, 10, 8, 4, 2])
  })
})

it('what went into the pool was sold, and what came out was bought; dust may be sold for nothing', () => {
  const [token0, token1] = [gold, coin].map((token) => ({ address: token, symbol: '', decimals: 0 }))
  if (!token0 || !token1) throw new TypeError('Both are there')
  const pool = { address: address(0xa1), fee: 500, token0, token1 }
  const legsOf = (amount0: bigint, amount1: bigint) => {
    const { sold, bought } = toLegs({ swap: { ...toSwap(1, pool.address), usdE18: 0n, amount0, amount1 }, pool })
    return [sold.token.address, sold.amountRaw, bought.token.address, bought.amountRaw]
  }
  expect(legsOf(5n, -7n)).toEqual([gold, 5n, coin, 7n])
  expect(legsOf(-5n, 7n)).toEqual([coin, 7n, gold, 5n])
  expect(legsOf(1n, 0n)).toEqual([gold, 1n, coin, 0n])
  expect(legsOf(0n, 1n)).toEqual([coin, 1n, gold, 0n])
})
