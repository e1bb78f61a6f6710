import { type Address, Failure, type Hex, noDepth } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { type Doubt, insertDoubts, listDoubts, listPoolChecks, upsertPoolChecks } from '../store/poolChecks.ts'
import { emptyPoolState } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createPoolChecks } from './createPoolChecks.ts'

const stores = createTempStores()
const addressOf = (place: number): Address => `0x${place.toString(16).padStart(40, '0')}`
const word = (value: number | bigint): string => value.toString(16).padStart(64, '0')
const [multicall, factory] = [addressOf(0xca), addressOf(0xfa)]
const selectors = { slot0: '0x3850c7bd', liquidity: '0x1a686502', growth0: '0xf3058399', growth1: '0x46141319' }

const poolOf = (place: number, changes: Partial<Pool> = {}): Pool => ({
  ...emptyPoolState,
  ...noDepth,
  ...{ address: addressOf(place), token0: addressOf(1), token1: addressOf(2), fee: 500, tick: 0, tickSpacing: 10 },
  ...{ sqrtPriceX96: 2n ** 96n, liquidity: 100n, feeGrowth0: 5n, feeGrowth1: 6n, createdBlock: 0, createdAtSeconds: 0 },
  ...{ firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined, reach: undefined },
  ...changes,
})

/** What a pool's contract has instead of what the index has; `false`: it does not answer as a pool. */
type Truth = Readonly<Record<number, Partial<Pick<Pool, 'liquidity' | 'feeGrowth0' | 'sqrtPriceX96'>> | false>>

/** A node without a multicall, whose pools know no ticks. */
function nodeWith(truth: Truth, asked: number[] = []): Chain {
  const node: Pick<Chain, 'forward'> = {
    async forward(_method, params) {
      const [{ to, data }] = params as [{ to: Address; data: Hex }]
      const place = Number(to)
      const own = truth[place]
      if (to === multicall || own === false) return '0x'
      const { sqrtPriceX96 = 2n ** 96n, liquidity = 100n, feeGrowth0 = 5n } = own ?? {}
      if (data === selectors.slot0) {
        asked.push(place)
        return `0x${word(sqrtPriceX96)}${word(0)}`
      }
      if (data === selectors.liquidity) return `0x${word(liquidity)}`
      if (data === selectors.growth0) return `0x${word(feeGrowth0 ?? 0)}`
      return data === selectors.growth1 ? `0x${word(6)}` : '0x'
    },
  }
  return node as Chain
}

const doubtOf = (place: number, what: string): Doubt => ({ pool: addressOf(place), blockNumber: 3, what, sinceSeconds: 1 })

async function open(nodes: readonly Chain[], pools: readonly Pool[], doubts: readonly Doubt[] = []) {
  const store = await stores.openNew('sqlite')
  await store.write((tx) => insertDoubts(tx, doubts))
  const checks = createPoolChecks({ nodes, store, multicall, factory, tickCalls: 2, nowSeconds: () => 1_700_000_000 })
  await checks.load()
  /** Compares the next pools at a block, and notes that. */
  const look = async (number = 50) => {
    const block = { number, hash: `0x${word(number)}`, timestampSeconds: number } as const
    const at = { block, pools: new Map(pools.map((pool) => [pool.address, pool])) }
    const compared = await checks.compare({ ...at, turn: 0 })
    const settled = await checks.note(compared, at)
    return { differ: Object.fromEntries([...compared.differ].map(([pool, what]) => [Number(pool), what])), settled }
  }
  const readDoubts = async () => (await listDoubts(store.read, 10)).map(({ pool, what }) => `${Number(pool)} ${what}`)
  return { store, checks, look, readDoubts }
}

describe('pools that are compared with their contracts', () => {
  it('differ in price, liquidity or fee growth, and count as suspects until they agree', async () => {
    const truth: { -readonly [place in keyof Truth]: Truth[place] } = {
      ...{ 16: { sqrtPriceX96: 5n }, 17: { liquidity: 1n }, 18: { feeGrowth0: 9n } },
    }
    const { checks, look } = await open(
      [nodeWith(truth)],
      [16, 17, 18, 19].map((place) => poolOf(place)),
    )
    expect((await look()).differ).toEqual({ 16: 'price', 17: 'liquidity in range', 18: 'fee growth' })
    expect(checks.suspects()).toBe(3)
    delete truth[16]
    await look(51)
    expect(checks.suspects()).toBe(2)
  })

  it('differ only where the next node says so, too', async () => {
    const { look, checks } = await open(
      [nodeWith({ 16: { liquidity: 1n }, 17: { liquidity: 1n } }), nodeWith({ 17: { liquidity: 2n } })],
      [poolOf(16), poolOf(17)],
    )
    expect((await look()).differ).toEqual({ 17: 'liquidity in range' })
    // The first one has not agreed either.
    expect(checks.checkedBlock(addressOf(16))).toBe(undefined)
  })

  it('are known to agree up to the block, which is the lowest of all pools, and never above the index', async () => {
    const pools = [poolOf(16), poolOf(17)]
    const truth: { -readonly [place in keyof Truth]: Truth[place] } = { 17: false }
    const { checks, look } = await open([nodeWith(truth)], pools)
    await look(50)
    expect([checks.checkedBlock(addressOf(16)), checks.verifiedBlock(pools, 60)]).toEqual([50, undefined])
    delete truth[17]
    truth[16] = false
    await look(55)
    expect([checks.verifiedBlock(pools, 60), checks.verifiedBlock(pools, 45)]).toEqual([50, 45])
  })

  it('are not known to agree above where the index was taken back to', async () => {
    const { checks, look } = await open([nodeWith({})], [poolOf(16)])
    await look(50)
    checks.rolledBack(50)
    expect(checks.checkedBlock(addressOf(16))).toBe(50)
    checks.rolledBack(49)
    expect(checks.checkedBlock(addressOf(16))).toBe(undefined)
  })

  it('are a hundred in a look, and the others in the next', async () => {
    const asked: number[] = []
    const { look } = await open(
      [nodeWith({}, asked)],
      Array.from({ length: 120 }, (_, i) => poolOf(16 + i)),
    )
    await look(50)
    expect(asked.length).toBe(100)
    await look(51)
    expect(new Set(asked).size).toBe(120)
  })

  it('are none while the node does not answer', async () => {
    const away = new Failure('rpc-unavailable', 'away', { retryable: true })
    const { look, checks } = await open([{ forward: () => Promise.reject(away) } as never as Chain], [poolOf(16)])
    await expect(look()).rejects.toBe(away)
    expect(checks.checkedBlock(addressOf(16))).toBe(undefined)
  })
})

describe('what is stored of comparisons', () => {
  it('is up to which block a pool agreed, and is there after a restart; the row of the factory is no pool', async () => {
    const { store, look } = await open([nodeWith({})], [poolOf(16)])
    await look(50)
    await store.write((tx) => upsertPoolChecks(tx, [{ pool: factory, blockNumber: 7, atSeconds: 1 }]))
    expect(await listPoolChecks(store.read)).toContainEqual({ pool: addressOf(16), blockNumber: 50, atSeconds: 1_700_000_000 })
    const again = createPoolChecks({ nodes: [], store, multicall, factory, nowSeconds: () => 0 })
    await again.load()
    expect([again.checkedBlock(addressOf(16)), again.checkedBlock(factory)]).toEqual([50, undefined])
  })

  it('are no doubts any more about a pool that agrees in all', async () => {
    const { look, readDoubts } = await open(
      [nodeWith({ 17: { liquidity: 1n } })],
      [poolOf(16), poolOf(17)],
      [doubtOf(16, 'fee growth'), doubtOf(17, 'price')],
    )
    const { settled } = await look()
    expect([settled, await readDoubts()]).toEqual([[addressOf(16)], ['17 price']])
  })

  it('are doubts still, of events that may be missing, about a pool whose fee growth is not worked out', async () => {
    const unworked = poolOf(16, { feeGrowth0: undefined, feeGrowth1: undefined })
    const { look, readDoubts } = await open(
      [nodeWith({})],
      [unworked, poolOf(17)],
      [doubtOf(16, 'missing swap'), { ...doubtOf(16, 'price'), blockNumber: 4 }],
    )
    const { settled } = await look()
    expect([settled, await readDoubts()]).toEqual([[addressOf(17)], ['16 missing swap']])
  })

  it('are doubts still about the ticks of a pool until these were compared', async () => {
    const { look, readDoubts, checks } = await open([nodeWith({})], [poolOf(16)], [doubtOf(16, 'ticks')])
    expect(checks.ticks.isSettled(addressOf(16))).toBe(false)
    const { settled } = await look()
    expect([settled, await readDoubts()]).toEqual([[], ['16 ticks']])
  })
})
