import { type Address, createTickList, sqrtPriceX96AtTick } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { FakeChain, type FakeEvent } from '../chain/fakeChain.ts'
import { emptyPoolState } from '../store/poolState.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, untilSynced } from '../testing/fakeExchange.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { type ReplayEvent, type ReplayPool, replayWorld } from './replayWorld.ts'

// Two tokens of one quote each get a pool between them in the middle of an hour: which of them prices the other?

const stores = createTempStores()
const address = (byte: string) => `0x${byte.repeat(20)}` as Address
const [dollar, quote, lower, upper, other] = ['11', '23', '33', '44', '55'].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const pools = { quote: address('a1'), lower: address('bb'), upper: address('aa'), between: address('cc'), further: address('dd') }
const million = 10n ** 24n
/** 1.0001 to the power of 1,980: a fifth more. */
const dearer = 1_980

type Place = { readonly blockNumber: number; readonly timestampSeconds: number; readonly logIndex: number }

describe('a pool between two tokens that is opened within an hour', () => {
  it('leads to the same dollars in an index from scratch and after a restart', async () => {
    const create = (pool: Address, token0: Address, token1: Address, tick = 0): FakeEvent[] => [
      { address: factory, name: 'PoolCreated', args: { token0, token1, fee: 3000, tickSpacing: 60, pool } },
      { address: pool, name: 'Initialize', args: { sqrtPriceX96: sqrtPriceX96AtTick(tick), tick } },
    ]
    const mint = (pool: Address, amount: bigint, tick = 0): FakeEvent => {
      const amounts = { amount, amount0: amount / 30n, amount1: amount / 30n }
      return {
        address: pool,
        name: 'Mint',
        args: { sender: other, owner: other, tickLower: tick - 600, tickUpper: tick + 600, ...amounts },
      }
    }
    const swap = (pool: Address, amount: bigint, tick = 0): FakeEvent => {
      const parties = { sender: other, recipient: other, amount0: amount, amount1: -amount }
      return {
        address: pool,
        name: 'Swap',
        args: { ...parties, sqrtPriceX96: sqrtPriceX96AtTick(tick), liquidity: million, tick },
      }
    }
    const opening = [...create(pools.quote, dollar, quote), mint(pools.quote, 100n * million)]
    const blocks: readonly (readonly [FakeEvent[], number])[] = [
      [[...opening, ...create(pools.lower, quote, lower), ...create(pools.upper, quote, upper)], 12],
      [[mint(pools.lower, million), mint(pools.upper, million)], 12],
      [[swap(pools.quote, 10n ** 18n)], 3_700],
      [[swap(pools.quote, 10n ** 18n)], 3_700],
      [[...create(pools.between, lower, upper, dearer), mint(pools.between, 10n * million, dearer)], 30],
      [[swap(pools.upper, 10n ** 20n), swap(pools.lower, 10n ** 20n)], 900],
      [[swap(pools.between, 10n ** 20n, dearer), swap(pools.upper, 10n ** 20n)], 30],
    ]
    const build = async (restartsAfter: number | undefined) => {
      const chain = new FakeChain()
      for (const token of [dollar, quote, lower, upper])
        chain.tokens.set(token, { address: token, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
      const store = await stores.openNew('sqlite')
      const options = { factory, confirmations: 2, spanMax: 2, stables: [dollar] }
      let follower = follow(chain, store, options)
      for (const [i, [events, secondsLater]] of blocks.entries()) {
        chain.mine(events, secondsLater)
        if (i !== restartsAfter) continue
        await untilSynced(chain, follower)
        await follower.stop()
        follower = follow(chain, store, options)
      }
      await untilSynced(chain, follower)
      await follower.stop()
      return dumpIndex(store)
    }
    const scratch = await build(undefined)
    for (const block of [3, 4, 5]) expect(await build(block), `after block ${block}`).toEqual(scratch)
  })

  it('leads to the same dollars with the pools that a receipt names, without one that prices nothing', () => {
    const open = (pool: Address, token0: Address, token1: Address, liquidity: bigint): ReplayPool => ({
      ...{ address: pool, token0, token1, fee: 3_000, tickSpacing: 60, firstSwapAtSeconds: 1 },
      standing: { ...emptyPoolState, sqrtPriceX96: sqrtPriceX96AtTick(0), tick: 0, liquidity },
      ticks: createTickList([
        [-600, { gross: liquidity, net: liquidity }],
        [600, { gross: liquidity, net: -liquidity }],
      ]),
    })
    const unopened = { token0: lower, token1: upper, fee: 3_000, tickSpacing: 60, firstSwapAtSeconds: undefined }
    // A fold changes them.
    const listPools = (): ReplayPool[] => [
      open(pools.quote, dollar, quote, 100n * million),
      open(pools.lower, quote, lower, million),
      open(pools.upper, quote, upper, million),
      { address: pools.between, ...unopened, standing: emptyPoolState, ticks: createTickList() },
      open(pools.further, upper, other, million),
    ]
    const hour = 3_600_000
    const at = (blockNumber: number, seconds: number, logIndex = 0): Place & { readonly txHash: '0x' } => ({
      ...{ blockNumber, timestampSeconds: hour + seconds, logIndex, txHash: '0x' },
    })
    const swap = (pool: Address, place: Place & { readonly txHash: '0x' }): ReplayEvent => ({
      ...{ kind: 'swap', pool, ...place, amount0: 10n ** 20n, amount1: -(10n ** 20n), sender: dollar, recipient: dollar },
      ...{ sqrtPriceX96: sqrtPriceX96AtTick(0), liquidity: million, tick: 0 },
    })
    const valued = swap(pools.lower, at(3, 1_000))
    const events: ReplayEvent[] = [
      swap(pools.quote, at(1, 10)),
      { kind: 'initialize', pool: pools.between, ...at(2, 20), sqrtPriceX96: sqrtPriceX96AtTick(-dearer), tick: -dearer },
      {
        ...{ kind: 'mint', pool: pools.between, ...at(2, 20, 1), sender: dollar, owner: dollar },
        ...{ tickLower: -2_580, tickUpper: -1_380, amount: 10n * million, amount0: million / 3n, amount1: million / 3n },
      },
      valued,
    ]
    const valuation = { stables: [dollar], wrappedNative: address('99'), quotes: [], depthFloorUsdE18: 0n, windowSeconds: 600 }
    const decimals = new Map([dollar, quote, lower, upper, other].map((token) => [token, 18]))
    const valueWith = (own: ReplayPool[]) => replayWorld(valuation, { pools: own, decimals }, events).valueOf(valued)
    const whole = valueWith(listPools())
    expect(whole).toBe(100n * 10n ** 18n)
    expect(valueWith(listPools().filter((pool) => pool.address !== pools.further))).toBe(whole)
  })
})
