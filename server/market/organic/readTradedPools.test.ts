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

it('keeps the large positions of a pool that is flooded with tiny ones', async () => {
  const { store, block } = await openTraded('sqlite')
  const tiny = placesAfter(block, 50_001).map((place) => {
    const position = { owner: trader, sender: trader, tickLower: 0, tickUpper: 60, amount: 1n, amount0: 1n, amount1: 1n }
    return { ...place, ...position, kind: 'mint' } as const
  })
  await store.write((tx) => insertPoolEvents(tx, tiny, new Map()))
  const [pool] = (await readBeta(store, block)).pools
  expect(pool?.changes.length).toBe(50_000)
  expect(pool?.changes[0]).toMatchObject({ delta: e18, owner: manager })
}, 30_000)
