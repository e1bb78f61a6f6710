import { type Address, createTickList, Failure, noDepth } from '@chainboard/core'
import type { Chain, ChainRange } from '../chain/chain.ts'
import { insertBlocks, thinBlocks } from '../store/blocks.ts'
import { type FeeProtocolChange, insertFeeProtocols } from '../store/feeProtocols.ts'
import { insertDoubts } from '../store/poolChecks.ts'
import { insertPoolEvents, type PoolEvent } from '../store/poolEvents.ts'
import { emptyPoolState } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import type { Store, Tx } from '../store/store.ts'
import { insertSwaps, type Swap } from '../store/swaps.ts'
import { advanceCursor, type BlockRef } from '../store/syncCursor.ts'
import { emptyTokenState } from '../store/tokenState.ts'
import { listTokens, type TokenRow } from '../store/tokens.ts'
import type { Guard } from '../witness/createGuard.ts'
import { decodeLog, findImpossible, type PoolCreated } from './decodeLog.ts'
import { openWorld, readTickLists } from './openWorld.ts'
import { wantsPool } from './settleScope.ts'
import { foldAll, storeChanges, storeSpans, storeTicks } from './storeWorld.ts'
import { emptyWorld, type Valuation, type World } from './world.ts'

/** What the index is built from. Another factory makes it another index; tokens are added to it, and another valuation values it again. */
export type IndexScope = {
  readonly factory: Address
  /** Tokens whose pools are kept; undefined keeps every pool of the factory. */
  readonly onlyTokens: ReadonlySet<Address> | undefined
  /** Tokens whose pools are left out all the same; absent: none. */
  readonly exceptTokens?: ReadonlySet<Address> | undefined
  readonly valuation: Valuation
}

/**
 * `world` is the one after the last block stored; none at the start and after anything went wrong, when it is made from the
 * store. `past` is the one after a block whose dollars were valued again, while those of later blocks still are to be.
 */
export type WorldHolder = { world: World | undefined; past?: PastWorld | undefined }

/** `isBeforeTurn`: totals of it are wrong, as blocks before are still to be valued. */
export type PastWorld = { readonly world: World; readonly block: number; readonly isBeforeTurn?: boolean }

type Deps = {
  readonly chain: Chain
  readonly store: Store
  readonly scope: IndexScope
  readonly identity: string
  readonly holder: WorldHolder
  /** Refuses ranges that leave something out; absent: whatever the node gives is taken. */
  readonly guard?: Guard | undefined
  /** Gets to know the contracts that emit events of a pool and are none of the index. */
  readonly onStrangers?: ((strangers: readonly { pool: Address; blockNumber: number }[]) => void) | undefined
}

/** Pools whose ticks are kept in memory; more are read from the store when something happens to them. */
export const tickListsMax = 2_000
/** Blocks between two thinnings of the block references. */
const thinEvery = 1_024

/**
 * Puts a range into the index: events, states, hours, days and the cursor in one transaction, so that whatever ends the
 * process leaves the index at a block's end.
 * @param cursor the last block in the index, which the range continues
 * @returns the last block of the range
 * @throws Doubted, with nothing stored, when its events do not fit what the index holds
 */
export async function storeRange(deps: Deps, range: ChainRange, cursor: BlockRef | undefined): Promise<BlockRef> {
  const { created, all, before, impossible } = sortEvents(range, deps.scope)
  const last = range.headers.at(-1) as BlockRef
  const newTokens = await readNewTokens(deps, created, last)
  const { holder } = deps
  try {
    await deps.store.write(async (tx) => {
      if (!(await advanceCursor(tx, { identity: deps.identity, from: cursor, to: last }))) throw moved()
      const { valuation } = deps.scope
      holder.world ??= cursor ? (await openWorld(tx, cursor.number, valuation)).world : emptyWorld(valuation)
      const { world } = holder
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
      deps.onStrangers?.(events.filter(({ pool }) => !world.pools.has(pool)))
      await keepTicks(tx, world, ours)
      const changes = foldAll(world, ours)
      const strange = impossible.filter(({ pool }) => world.pools.has(pool)).map((event) => ({ event, what: 'fields' as const }))
      const remade = again.map((creation) => ({ event: toPlace(creation), what: 'created' as const }))
      const doubts = deps.guard?.check([...remade, ...strange, ...changes.misfits]) ?? []
      const also = { pools: created.map(({ pool }) => pool), tokens: newTokens.map(({ address }) => address) }
      await storeChanges(tx, world, { changes, also })
      const moves = ours.filter((event) => event.kind !== 'setFeeProtocol')
      const swaps = moves.filter((event) => event.kind === 'swap')
      const others = moves.filter((event) => event.kind !== 'swap')
      await insertSwaps(tx, swaps, changes.values)
      await insertPoolEvents(tx, others, changes.values)
      await insertFeeProtocols(
        tx,
        ours.filter((event) => event.kind === 'setFeeProtocol'),
      )
      await storeTicks(tx, moves, 1n)
      await insertDoubts(tx, doubts)
      await storeSpans(tx, world, { pools: changes.pools, first: range.headers[0] ?? last, last })
      await insertBlocks(tx, toBlockRefs(range))
      if (crossesThinning(range)) await thinBlocks(tx, last.number)
    })
  } catch (error) {
    // It has events in it that the store does not have.
    holder.world = undefined
    throw error
  }
  return last
}

/** A fence: rows are only written behind the last block that is stored, by whichever server it was. */
function moved(): Failure {
  return new Failure('store-in-use', 'Another server writes the same index', { retryable: true })
}

type Event = Swap | PoolEvent | FeeProtocolChange

/** Reads the ticks of the pools that something happens to, and forgets those that nothing happened to for longest. */
async function keepTicks(tx: Tx, { ticks }: World, events: readonly Event[]): Promise<void> {
  const pools = [...new Set(events.map(({ pool }) => pool))]
  const read = await readTickLists(
    tx,
    pools.filter((pool) => !ticks.has(pool)),
  )
  for (const pool of pools) {
    const list = ticks.get(pool) ?? read.get(pool)
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

/** @throws Failure `rpc-unavailable` when the node does not have the block, `last`, in or before which the tokens appeared */
async function readNewTokens({ chain, store }: Deps, created: readonly PoolCreated[], last: BlockRef): Promise<TokenRow[]> {
  const named = [...new Set(created.flatMap(({ token0, token1 }) => [token0, token1]))]
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
