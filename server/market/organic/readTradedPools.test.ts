import { type Address, daySeconds, type Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import { FakeChain } from '../../chain/fakeChain.ts'
import { insertPoolEvents } from '../../store/poolEvents.ts'
import type { Store } from '../../store/store.ts'
import { eventKey, insertSwaps, type Swap } from '../../store/swaps.ts'
import { findCursor } from '../../store/syncCursor.ts'
import { followToHead } from '../../testing/followToHead.ts'
import { beta, betaPool, manager, openMarket, sqrtPrices, swap, trader, usdc } from '../../testing/market.ts'
import { createTempStores, engines } from '../../testing/tempStores.ts'
import { readTradedPools } from './readTradedPools.ts'

const stores = createTempStores()
const e18 = 10n ** 18n

/** A store with one honest swap of 1,000 dollars in the pool of BETA, and the time of its newest block. */
async function openTraded(engine: (typeof engines)[number]) {
  const chain = new FakeChain()
  openMarket(chain)
  chain.mine([swap(betaPool, sqrtPrices.betaAtQuarter, 1_000n * 10n ** 6n, -4_000n * e18, e18)])
  const store = await stores.openNew(engine)
  await followToHead(chain, store)
  const block = (await findCursor(store.read))?.block
  if (!block) throw new Error('nothing was read')
  return { store, block }
}

type Block = Awaited<ReturnType<typeof openTraded>>['block']

const hash = (i: number) => `0x${i.toString(16).padStart(64, '0')}` as Hex

/** Places in the second after the block, one after the other. */
function placesAfter({ number, timestampSeconds }: Block, count: number) {
  return Array.from({ length: count }, (_, logIndex) => {
    const at = { blockNumber: number + 1, timestampSeconds: timestampSeconds + 1 }
    return { ...at, pool: betaPool, logIndex, txHash: hash(logIndex) }
  })
}

function readBeta(store: Store, block: Block) {
  const nowSeconds = block.timestampSeconds + 2
  const span = { fromSeconds: nowSeconds - daySeconds, nowSeconds }
  return readTradedPools(store.read, { listed: new Set<Address>([beta]), quotes: new Set<Address>([usdc]), ...span })
}

it.each(engines)(
  'keeps a honest swap of a pool that is flooded with dust, and the ticks that swaps began at, on %s',
  async (engine) => {
    const { store, block } = await openTraded(engine)
    const dust = placesAfter(block, 20_002).map((place, i): Swap => {
      const parties = { kind: 'swap', sender: trader, recipient: trader } as const
      return { ...place, ...parties, amount0: 10n, amount1: -1n, sqrtPriceX96: 1n, liquidity: e18, tick: i }
    })
    // The last is worth 500 dollars, and what is before it is not among the largest.
    const worth = new Map(dust.map((one, i) => [eventKey(one), i === 20_001 ? 500n * e18 : i < 20_000 ? 2n : 1n]))
    await store.write((tx) => insertSwaps(tx, dust, worth))
    const [pool] = (await readBeta(store, block)).pools
    expect(pool?.trades.length).toBe(20_000)
    expect(pool?.trades[0]).toMatchObject({ usdE18: 1_000n * e18, tick: 290_187, tickBefore: 290_187 })
    expect(pool?.trades.at(-1)).toMatchObject({ usdE18: 500n * e18, tick: 20_001, tickBefore: 20_000 })
  },
)

const far = { tickLower: -887_220, tickUpper: -887_160 }
const everywhere = { tickLower: -887_220, tickUpper: 887_220 }

type Made = { readonly delta: bigint; readonly range: typeof far; readonly owner?: Address }

/** Mints and burns, each signed by somebody else as far as is known. */
async function insertChanges(store: Store, block: Block, changes: readonly Made[]) {
  const places = placesAfter(block, changes.length)
  const events = changes.map(({ delta, range, owner = trader }, i) => {
    const position = { ...(places[i] as (typeof places)[number]), owner, ...range, amount0: 1n, amount1: 1n }
    return delta > 0n
      ? ({ ...position, kind: 'mint', sender: owner, amount: delta } as const)
      : ({ ...position, kind: 'burn', sender: undefined, amount: -delta } as const)
  })
  await store.write((tx) => insertPoolEvents(tx, events, new Map()))
}

it('keeps the positions of a pool that is flooded with changes far from its price, and none that is gone', async () => {
  const { store, block } = await openTraded('sqlite')
  const size = 1_000n * e18
  const flood = Array.from({ length: 50_000 }, (_, i): Made => ({ delta: i % 2 === 0 ? size : -size, range: far }))
  const inParts = [4n, -1n, -1n, -1n, -1n].map((part): Made => ({ delta: part * size, range: everywhere }))
  await insertChanges(store, block, [...inParts, ...flood])
  const [pool] = (await readBeta(store, block)).pools
  expect(pool?.changes.map(({ owner, delta }) => [owner, delta])).toEqual([[manager, e18]])
}, 30_000)

it('keeps the 5,000 positions with most liquidity of those at the price', async () => {
  const { store, block } = await openTraded('sqlite')
  const owner = (i: number) => hash(i).slice(0, 2).concat(hash(i).slice(-40)) as Address
  const tiny = Array.from({ length: 5_001 }, (_, i): Made => ({ delta: 2n, range: everywhere, owner: owner(i + 1) }))
  await insertChanges(store, block, [...tiny, { delta: 3n, range: everywhere, owner: owner(6_000) }])
  const [pool] = (await readBeta(store, block)).pools
  expect(pool?.changes.length).toBe(5_000)
  expect([pool?.changes.at(0)?.owner, pool?.changes.at(-1)?.owner]).toEqual([manager, owner(6_000)])
}, 30_000)
