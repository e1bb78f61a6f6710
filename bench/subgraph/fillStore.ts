import { tmpdir } from 'node:os'
import { type Address, createTickList, type Hex, noDepth } from '@chainboard/core'
import { at } from '../../devnet/at.ts'
import { readConfig } from '../../server/config.ts'
import { foldAll, pickChanged, storeChanges, storeTicks } from '../../server/indexer/storeWorld.ts'
import { emptyWorld, type World } from '../../server/indexer/world.ts'
import { toValuation } from '../../server/networkFile.ts'
import { insertPoolEvents, type PoolEvent } from '../../server/store/poolEvents.ts'
import { emptyPoolState } from '../../server/store/poolState.ts'
import type { Store } from '../../server/store/store.ts'
import { insertSwaps, type Swap } from '../../server/store/swaps.ts'
import { setCursor } from '../../server/store/syncCursor.ts'
import { emptyTokenState } from '../../server/store/tokenState.ts'

const daySeconds = 86_400
const blockSeconds = 12
const swapsAtOnce = 20_000
const q96 = 2n ** 96n
const { network } = readConfig({ NETWORK: 'devnet', DATA_DIR: tmpdir() })

/** The pool that all swaps are in. */
export const busyPool: Address = `0x${'b5'.repeat(20)}`
const trader: Address = `0x${'77'.repeat(20)}`

/** What the subgraph's route needs of the network. */
export const benchFacts = { factory: network.dex.factory.toLowerCase(), valuation: toValuation(network) }

/** How many swaps, over how many days until when. */
export type Filling = { readonly swaps: number; readonly days: number; readonly endSeconds: number }

/**
 * Fills an empty store with one pool of the wrapped native coin and USDC that traded evenly over the days until the end, with
 * the code that folds a chain's events: states, hours, days, tokens and transactions are all there.
 */
export async function fillStore(store: Store, filling: Filling): Promise<void> {
  const { swaps, endSeconds } = filling
  const world = openWorld(filling)
  const history = planHistory(filling)
  await write(store, world, history.opening)
  for (let from = 0; from < swaps; from += swapsAtOnce) {
    const count = Math.min(swapsAtOnce, swaps - from)
    await write(
      store,
      world,
      Array.from({ length: count }, (_, i) => history.swapAt(from + i)),
    )
  }
  const block = { number: history.lastBlock, hash: toHash(0xb10c), timestampSeconds: endSeconds }
  await store.write((tx) => setCursor(tx, { identity: 'filled for a benchmark', block }))
}

const valuation = toValuation(network)
const [usdc, native] = [at(valuation.stables, 0), valuation.wrappedNative]
/** Whether USDC is the pool's first token. */
const isSorted = usdc < native

/** The tokens and the pool, before its first event. */
function openWorld({ days, endSeconds }: Filling): World {
  const world = emptyWorld(valuation)
  const [token0, token1] = isSorted ? [usdc, native] : [native, usdc]
  for (const [address, decimals, symbol] of [
    [usdc, 6, 'USDC'],
    [native, 18, network.wrappedNative.symbol],
  ] as const) {
    world.tokens.set(address, { ...emptyTokenState, address, decimals, symbol, name: symbol, totalSupplyRaw: 0n })
  }
  world.pools.set(busyPool, {
    ...emptyPoolState,
    ...noDepth,
    ...{ address: busyPool, token0, token1, fee: 500, tickSpacing: 10, createdBlock: 0 },
    createdAtSeconds: endSeconds - days * daySeconds,
    ...{ firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined, reach: undefined },
  })
  world.ticks.set(busyPool, createTickList())
  return world
}

/** The pool's events: its opening, then swaps, spread evenly over the days. */
function planHistory({ swaps, days, endSeconds }: Filling) {
  const startSeconds = endSeconds - days * daySeconds
  // One coin is worth about 2,500 dollars: 10^18 / (2,500 x 10^6) = 20,000 squared.
  const root = (cents: bigint) =>
    isSorted ? (20_000n * q96 * 1_000n) / (1_000n + cents) : (q96 * (1_000n + cents)) / 20_000_000n
  const placeOf = (index: number) => {
    const timestampSeconds = startSeconds + Math.floor((index * days * daySeconds) / (swaps + 2))
    const blockNumber = 1 + Math.floor((timestampSeconds - startSeconds) / blockSeconds)
    return { pool: busyPool, blockNumber, logIndex: index % 1_000_000, txHash: toHash(index), timestampSeconds }
  }
  const inOrder = (dollars: bigint, coins: bigint) =>
    isSorted ? { amount0: dollars, amount1: coins } : { amount0: coins, amount1: dollars }
  const range = { owner: trader, sender: trader, tickLower: -887_270, tickUpper: 887_270 }
  const opening: PoolEvent[] = [
    { ...placeOf(0), kind: 'initialize', sqrtPriceX96: root(0n), tick: 0 },
    { ...placeOf(1), kind: 'mint', ...range, amount: 2n * 10n ** 17n, ...inOrder(10n ** 13n, 4n * 10n ** 21n) },
  ]
  const swapAt = (index: number): Swap => {
    const coins = ((index % 2 === 0 ? 1n : -1n) * BigInt(1 + (index % 97)) * 10n ** 18n) / 100n
    const dollars = -(coins * 2_500n) / 10n ** 12n
    const parties = { sender: trader, recipient: trader, liquidity: 2n * 10n ** 17n, tick: index % 13 }
    const sqrtPriceX96 = root(BigInt(index % 13))
    return { ...placeOf(index + 2), kind: 'swap', ...parties, ...inOrder(dollars, coins), sqrtPriceX96 }
  }
  return { opening, swapAt, lastBlock: placeOf(swaps + 1).blockNumber }
}

async function write(store: Store, world: World, events: (Swap | PoolEvent)[]): Promise<void> {
  await store.write(async (tx) => {
    const changes = foldAll(world, events)
    await storeChanges(tx, pickChanged(world, { changes, also: { pools: world.pools.keys(), tokens: world.tokens.keys() } }))
    await insertSwaps(
      tx,
      events.filter((event) => event.kind === 'swap'),
      changes.values,
    )
    await insertPoolEvents(
      tx,
      events.filter((event) => event.kind !== 'swap'),
      changes.values,
    )
    await storeTicks(tx, events, 1n)
  })
}

/** A number's hash-like text: spread, as hashes are, so that the index over them is as big as a real one. */
function toHash(number: number): Hex {
  let [text, state] = ['', BigInt(number) + 0x9e3779b97f4a7c15n]
  for (let i = 0; i < 4; i += 1) {
    state = BigInt.asUintN(64, (state ^ (state >> 29n)) * 0xbf58476d1ce4e5b9n + BigInt(i + 1))
    text += (state ^ (state >> 31n)).toString(16).padStart(16, '0')
  }
  return `0x${text}`
}
