import { setImmediate } from 'node:timers/promises'
import { type Address, createTickList, Failure, noDepth } from '@chainboard/core'
import type { Chain, ChainRange } from '../chain/chain.ts'
import { rangeEnds } from '../chain/rangeEnds.ts'
import type { FeeProtocolChange } from '../store/feeProtocols.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import { emptyPoolState } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import type { Db, Store } from '../store/store.ts'
import type { Swap } from '../store/swaps.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { emptyTokenState } from '../store/tokenState.ts'
import { listTokens, type TokenRow } from '../store/tokens.ts'
import { decodeLog, findImpossible, type PoolCreated } from './decodeLog.ts'
import type { IndexScope } from './indexScope.ts'
import { readTickLists } from './openWorld.ts'
import { wantsPool } from './settleScope.ts'
import { foldInTurns, pickChanged, pickSpans } from './storeWorld.ts'
import type { World } from './world.ts'
import { type FoldedRange, holdWorld, type WorldHolder } from './worldHolder.ts'

type Deps = {
  readonly chain: Pick<Chain, 'readTokens'>
  readonly store: Store
  readonly scope: IndexScope
  readonly holder: WorldHolder
}

type Event = Swap | PoolEvent | FeeProtocolChange

/** Pools whose ticks are kept in memory; more are read from the store when something happens to them. */
export const tickListsMax = 2_000

/**
 * Folds a range into the world that is held. Of the store only blocks before it are read, and they may still be on their way into it: what
 * they changed is in the world.
 * @param cursor the block before the range
 * @throws Failure of the node or the store, with no world held
 */
export async function foldRange(deps: Deps, range: ChainRange, cursor: BlockRef | undefined): Promise<FoldedRange> {
  const { store, scope, holder } = deps
  const { created, all, before, impossible } = sortEvents(range, scope)
  const [, last] = rangeEnds(range)
  const world = await holdWorld(deps, cursor)
  if (!world) throw moved()
  const newTokens = await readNewTokens(deps, world, { created, last })
  try {
    const again = created.filter(({ pool }, i) => world.pools.has(pool) || before.get(pool)?.creation !== i)
    // A pool's events follow its creation: whatever came from that address before is none of its own.
    const events = all.filter(({ pool }, i) => world.pools.has(pool) || i >= (before.get(pool)?.events ?? 0))
    for (const pool of created) {
      if (again.includes(pool)) continue
      world.pools.set(pool.pool, toNewPool(pool))
      world.ticks.set(pool.pool, createTickList())
    }
    for (const token of newTokens) world.tokens.set(token.address, token)
    const ours = events.filter(({ pool }) => world.pools.has(pool))
    await keepTicks(store.read, world, ours)
    const changes = await foldInTurns(world, ours)
    const strange = impossible.filter(({ pool }) => world.pools.has(pool)).map((event) => ({ event, what: 'fields' as const }))
    const remade = again.map((creation) => ({ event: toPlace(creation), what: 'created' as const }))
    const also = { pools: created.map(({ pool }) => pool), tokens: newTokens.map(({ address }) => address) }
    return {
      world,
      rows: pickChanged(world, { changes, also }),
      windows: pickSpans(world, { pools: changes.pools, first: range.headers[0] ?? last, last }),
      swaps: ours.filter((event) => event.kind === 'swap'),
      otherEvents: ours.filter((event) => event.kind !== 'swap' && event.kind !== 'setFeeProtocol'),
      feeProtocols: ours.filter((event) => event.kind === 'setFeeProtocol'),
      values: changes.values,
      misfits: [...remade, ...strange, ...changes.misfits],
      strangers: events.filter(({ pool }) => !world.pools.has(pool)),
    }
  } catch (error) {
    // It has events in it that the store does not have.
    if (holder.world === world) holder.world = undefined
    throw error
  }
}

/** A fence: rows are only written behind the last block that is stored, by whichever server it was. */
export function moved(): Failure {
  return new Failure('store-in-use', 'Another server writes to the same index', { retryable: true })
}

/** Pools whose ticks are read in one turn: SQLite reads on the thread that answers visitors. */
const poolsAtOnce = 20

/**
 * Reads the ticks of the pools that something happens to, and forgets those that nothing happened to for longest: never those of the
 * range before, which may not be stored yet.
 */
async function keepTicks(db: Db, { ticks }: World, events: readonly Event[]): Promise<void> {
  const pools = [...new Set(events.map(({ pool }) => pool))]
  const unread = pools.filter((pool) => !ticks.has(pool))
  for (let from = 0; from < unread.length; from += poolsAtOnce) {
    if (from > 0) await setImmediate()
    for (const [pool, list] of await readTickLists(db, unread.slice(from, from + poolsAtOnce))) ticks.set(pool, list)
  }
  for (const pool of pools) {
    const list = ticks.get(pool)
    ticks.delete(pool)
    if (list) ticks.set(pool, list)
  }
  for (const pool of ticks.keys()) {
    if (ticks.size <= Math.max(tickListsMax, pools.length)) break
    ticks.delete(pool)
  }
}

function sortEvents({ logs }: ChainRange, scope: IndexScope) {
  const created: PoolCreated[] = []
  const all: Event[] = []
  const impossible: (Swap | PoolEvent)[] = []
  /** Of each pool that is created its first creation, and how many events come before that. */
  const before = new Map<Address, { readonly creation: number; readonly events: number }>()
  for (const log of logs) {
    const event = decodeLog(log)
    if (!event) {
      const strange = findImpossible(log)
      if (strange) impossible.push(strange)
      continue
    }
    if (event.kind !== 'poolCreated') {
      all.push(event)
    } else if (event.factory === scope.factory && wantsPool(scope, event.token0, event.token1)) {
      if (!before.has(event.pool)) before.set(event.pool, { creation: created.length, events: all.length })
      created.push(event)
    }
  }
  return { created, all, before, impossible }
}

/** The creation of a pool that the index already has, as an event that does not fit: a factory creates a pool once. */
function toPlace({ pool, blockNumber, timestampSeconds }: PoolCreated) {
  return { kind: 'creation', pool, blockNumber, timestampSeconds, logIndex: 0, txHash: '0x' as const }
}

type Created = { readonly created: readonly PoolCreated[]; readonly last: BlockRef }

/** @throws Failure `rpc-unavailable` when the node does not have the block, `last`, in or before which the tokens appeared */
async function readNewTokens({ chain, store }: Deps, { tokens }: World, { created, last }: Created): Promise<TokenRow[]> {
  const named = [...new Set(created.flatMap(({ token0, token1 }) => [token0, token1]))].filter((token) => !tokens.has(token))
  if (named.length === 0) return []
  const known = new Set((await listTokens(store.read, named)).map(({ address }) => address))
  const unknown = named.filter((address) => !known.has(address))
  if (unknown.length === 0) return []
  return (await chain.readTokens(unknown, last)).map((facts) => ({ ...facts, ...emptyTokenState }))
}

function toNewPool(event: PoolCreated): Pool {
  return {
    ...emptyPoolState,
    ...noDepth,
    address: event.pool,
    token0: event.token0,
    token1: event.token1,
    fee: event.fee,
    tickSpacing: event.tickSpacing,
    createdBlock: event.blockNumber,
    createdAtSeconds: event.timestampSeconds,
    firstSwapAtSeconds: undefined,
    lastSwapAtSeconds: undefined,
    reach: undefined,
  }
}
