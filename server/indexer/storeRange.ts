import type { Address } from '@chainboard/core'
import type { Chain, ChainRange } from '../chain/chain.ts'
import { insertBlocks, thinBlocks } from '../store/blocks.ts'
import { insertPoolEvents, type PoolEvent } from '../store/poolEvents.ts'
import { listPeriods, type PoolPeriod, upsertPeriods } from '../store/poolPeriods.ts'
import { emptyPoolState } from '../store/poolState.ts'
import { listPools, type Pool, upsertPools } from '../store/pools.ts'
import type { Store, Tx } from '../store/store.ts'
import { insertSwaps, type Swap } from '../store/swaps.ts'
import { type BlockRef, setCursor } from '../store/syncCursor.ts'
import { insertTokens, listTokens } from '../store/tokens.ts'
import { decodeLog, type PoolCreated } from './decodeLog.ts'
import { daySeconds, foldDays, foldHour, foldState, hourSeconds, periodKey, startOfPeriod } from './foldEvents.ts'

/** What the index is built from. A change of any part makes it another index. */
export type IndexScope = {
  readonly factory: Address
  /** Tokens whose pools are kept; undefined keeps every pool of the factory. */
  readonly onlyTokens: ReadonlySet<Address> | undefined
}

type Deps = { readonly chain: Chain; readonly store: Store; readonly scope: IndexScope; readonly identity: string }

/** Blocks between two thinnings of the block references. */
const thinEvery = 1_024

/**
 * Puts a range into the index: events, pool states, hours, days and the cursor in one transaction, so that whatever ends the
 * process leaves the index at a block's end.
 * @returns the last block of the range
 */
export async function storeRange(deps: Deps, range: ChainRange): Promise<BlockRef> {
  const { created, events } = sortEvents(range, deps.scope)
  const newTokens = await readNewTokens(deps, created)
  const last = range.headers.at(-1) as BlockRef
  await deps.store.write(async (tx) => {
    await insertTokens(tx, newTokens)
    const known = await listPools(tx, [...new Set(events.map(({ pool }) => pool))])
    const pools = new Map([...known, ...created.map(toNewPool)].map((pool) => [pool.address, pool]))
    const ours = events.filter(({ pool }) => pools.has(pool))
    await insertSwaps(
      tx,
      ours.filter((event): event is Swap => event.kind === 'swap'),
    )
    await insertPoolEvents(
      tx,
      ours.filter((event): event is PoolEvent => event.kind !== 'swap'),
    )
    await foldIntoPeriods(tx, pools, ours)
    await upsertPools(tx, [...pools.values()])
    await insertBlocks(tx, toBlockRefs(range))
    if (crossesThinning(range)) await thinBlocks(tx, last.number)
    await setCursor(tx, { identity: deps.identity, block: last })
  })
  return last
}

function sortEvents({ logs }: ChainRange, { factory, onlyTokens }: IndexScope) {
  const created: PoolCreated[] = []
  let events: (Swap | PoolEvent)[] = []
  for (const log of logs) {
    const event = decodeLog(log)
    if (!event) continue
    if (event.kind !== 'poolCreated') {
      events.push(event)
    } else if (event.factory === factory && (!onlyTokens || onlyTokens.has(event.token0) || onlyTokens.has(event.token1))) {
      created.push(event)
      // A pool's events follow its creation: whatever came from that address before is none of its own.
      events = events.filter(({ pool }) => pool !== event.pool)
    }
  }
  return { created, events }
}

async function readNewTokens({ chain, store }: Deps, created: readonly PoolCreated[]) {
  const named = [...new Set(created.flatMap(({ token0, token1 }) => [token0, token1]))]
  if (named.length === 0) return []
  const known = new Set((await listTokens(store.read, named)).map(({ address }) => address))
  const unknown = named.filter((address) => !known.has(address))
  return unknown.length === 0 ? [] : chain.readTokens(unknown)
}

function toNewPool(event: PoolCreated): Pool {
  return {
    ...emptyPoolState,
    address: event.pool,
    token0: event.token0,
    token1: event.token1,
    fee: event.fee,
    tickSpacing: event.tickSpacing,
    createdBlock: event.blockNumber,
    createdAtSeconds: event.timestampSeconds,
    lastSwapAtSeconds: undefined,
  }
}

/** Folds events into `pools` (in place), and into the stored hours and days that they touch. */
export async function foldIntoPeriods(tx: Tx, pools: Map<Address, Pool>, events: readonly (Swap | PoolEvent)[]): Promise<void> {
  const first = events[0]
  const last = events.at(-1)
  if (!first || !last) return
  const touched = [...new Set(events.map(({ pool }) => pool))]
  const fromSeconds = startOfPeriod(first.timestampSeconds, daySeconds)
  const toSeconds = startOfPeriod(last.timestampSeconds, daySeconds) + daySeconds
  const stored = await listPeriods(tx, 'pool_hours', { pools: touched, fromSeconds, toSeconds })
  const hours = new Map(stored.map((hour) => [periodKey(hour.pool, hour.startSeconds), hour]))
  const changed = new Map<string, PoolPeriod>()
  for (const event of events) {
    const before = pools.get(event.pool) as Pool
    const state = foldState(before, event)
    pools.set(event.pool, {
      ...before,
      ...state,
      lastSwapAtSeconds: event.kind === 'swap' ? event.timestampSeconds : before.lastSwapAtSeconds,
    })
    const key = periodKey(event.pool, startOfPeriod(event.timestampSeconds, hourSeconds))
    const hour = foldHour(hours.get(key), event, state)
    hours.set(key, hour)
    changed.set(key, hour)
  }
  await upsertPeriods(tx, 'pool_hours', [...changed.values()])
  await upsertPeriods(tx, 'pool_days', foldDays(sortByTime(hours.values())))
}

function sortByTime(hours: Iterable<PoolPeriod>): PoolPeriod[] {
  return [...hours].sort((a, b) => a.startSeconds - b.startSeconds)
}

/** Whether a range holds a block at which the references are thinned out, wherever in the range it stands. */
function crossesThinning({ headers }: ChainRange): boolean {
  const [first, last] = [headers[0], headers.at(-1)]
  return (
    first !== undefined &&
    last !== undefined &&
    Math.floor((first.number - 1) / thinEvery) !== Math.floor(last.number / thinEvery)
  )
}

function toBlockRefs({ headers, logs }: ChainRange): BlockRef[] {
  const refs = new Map<number, BlockRef>()
  for (const { blockNumber, blockHash, timestampSeconds } of logs) {
    refs.set(blockNumber, { number: blockNumber, hash: blockHash, timestampSeconds })
  }
  for (const { number, hash, timestampSeconds } of headers) refs.set(number, { number, hash, timestampSeconds })
  return [...refs.values()]
}
