import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Address, createTickList, type Hex, noDepth } from '@chainboard/core'
import { foldAll, pickChanged, storeChanges, storeTicks } from '../../server/indexer/storeWorld.ts'
import { emptyWorld } from '../../server/indexer/world.ts'
import { type NetworkFile, toValuation } from '../../server/networkFile.ts'
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
const network = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../networks/devnet.json'), 'utf8')) as NetworkFile

export const busyPool = `0x${'b5'.repeat(20)}` as Address
const trader = `0x${'77'.repeat(20)}` as Address

/** What the route of the subgraph is told of the network. */
export const benchFacts = { factory: network.dex.factory.toLowerCase(), valuation: toValuation(network) }

export type Filling = { readonly swaps: number; readonly days: number; readonly endSeconds: number }

/**
 * Fills an empty store with one pool of the wrapped native coin and USDC that traded evenly over the days until the end, by
 * the code that folds a chain's events: states, hours, days, tokens and transactions are all there.
 */
export async function fillStore(store: Store, { swaps, days, endSeconds }: Filling): Promise<void> {
  const valuation = toValuation(network)
  const world = emptyWorld(valuation)
  const [usdc, native] = [valuation.stables[0] as Address, valuation.wrappedNative]
  const isSorted = usdc < native
  const [token0, token1] = isSorted ? [usdc, native] : [native, usdc]
  for (const [address, decimals, symbol] of [
    [usdc, 6, 'USDC'],
    [native, 18, network.wrappedNative.symbol],
  ] as const) {
    world.tokens.set(address, { ...emptyTokenState, address, decimals, symbol, name: symbol, totalSupplyRaw: 0n })
  }
  const startSeconds = endSeconds - days * daySeconds
  world.pools.set(busyPool, {
    ...emptyPoolState,
    ...noDepth,
    address: busyPool,
    token0,
    token1,
    fee: 500,
    tickSpacing: 10,
    createdBlock: 0,
    createdAtSeconds: startSeconds,
    firstSwapAtSeconds: undefined,
    lastSwapAtSeconds: undefined,
    reach: undefined,
  })
  world.ticks.set(busyPool, createTickList())
  // One coin is worth about 2,500 dollars: 10^18 / (2,500 x 10^6) = 20,000 squared.
  const root = (cents: bigint) =>
    isSorted ? (20_000n * q96 * 1_000n) / (1_000n + cents) : (q96 * (1_000n + cents)) / 20_000_000n
  const place = (index: number) => {
    const timestampSeconds = startSeconds + Math.floor((index * days * daySeconds) / (swaps + 2))
    return {
      pool: busyPool,
      blockNumber: 1 + Math.floor((timestampSeconds - startSeconds) / blockSeconds),
      logIndex: index % 1_000_000,
      txHash: toHash(index),
      timestampSeconds,
    }
  }
  const range = { owner: trader, sender: trader, tickLower: -887_270, tickUpper: 887_270 }
  const reserves = isSorted
    ? { amount0: 10n ** 13n, amount1: 4n * 10n ** 21n }
    : { amount0: 4n * 10n ** 21n, amount1: 10n ** 13n }
  const opening: PoolEvent[] = [
    { ...place(0), kind: 'initialize', sqrtPriceX96: root(0n), tick: 0 },
    { ...place(1), kind: 'mint', ...range, amount: 2n * 10n ** 17n, ...reserves },
  ]
  await write(opening)
  for (let from = 0; from < swaps; from += swapsAtOnce) {
    await write(Array.from({ length: Math.min(swapsAtOnce, swaps - from) }, (_, i) => toSwap(from + i)))
  }
  const last = place(swaps + 1)
  const block = { number: last.blockNumber, hash: toHash(0xb10c), timestampSeconds: endSeconds }
  await store.write((tx) => setCursor(tx, { identity: 'filled for a benchmark', block }))

  function toSwap(index: number): Swap {
    const coins = ((index % 2 === 0 ? 1n : -1n) * BigInt(1 + (index % 97)) * 10n ** 18n) / 100n
    const dollars = -(coins * 2_500n) / 10n ** 12n
    const [amount0, amount1] = isSorted ? [dollars, coins] : [coins, dollars]
    const sqrtPriceX96 = root(BigInt(index % 13))
    const parties = { sender: trader, recipient: trader, liquidity: 2n * 10n ** 17n, tick: index % 13 }
    return { ...place(index + 2), kind: 'swap', ...parties, amount0, amount1, sqrtPriceX96 }
  }

  async function write(events: (Swap | PoolEvent)[]): Promise<void> {
    await store.write(async (tx) => {
      const changes = foldAll(world, events)
      await storeChanges(tx, pickChanged(world, { changes, also: { pools: world.pools.keys(), tokens: world.tokens.keys() } }))
      const isSwap = (event: Swap | PoolEvent): event is Swap => event.kind === 'swap'
      await insertSwaps(tx, events.filter(isSwap), changes.values)
      await insertPoolEvents(
        tx,
        events.filter((event): event is PoolEvent => event.kind !== 'swap'),
        changes.values,
      )
      await storeTicks(tx, events, 1n)
    })
  }
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
