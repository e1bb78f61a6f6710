import { type Address, Failure, startOfHour } from '@chainboard/core'
import type { Chain, ChainRange, Header, TokenFacts } from '../chain/chain.ts'
import { readIdentity } from '../chain/chainIdentity.ts'
import { rangeEnds } from '../chain/rangeEnds.ts'
import { readManyTokenFacts } from '../chain/readTokenFacts.ts'
import { nameIndex } from '../indexer/adoptIndex.ts'
import { isLinked } from '../indexer/checkLinks.ts'
import { decodeLog, indexedTopics } from '../indexer/decodeLog.ts'
import type { IndexScope } from '../indexer/indexScope.ts'
import { storeRange } from '../indexer/storeRange.ts'
import type { SyncLimits } from '../indexer/syncMachine.ts'
import { toWantedContracts } from '../indexer/wantedContracts.ts'
import type { WorldHolder } from '../indexer/worldHolder.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { Store } from '../store/store.ts'
import type { Swap } from '../store/swaps.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { callAt } from '../witness/callAt.ts'
import { findBlockAt } from './findBlockAt.ts'
import { findPools, type PoolFacts, type PoolSearch, readPoolFacts } from './findPools.ts'
import type { LogSpool } from './logSpool.ts'
import { readPools } from './readPools.ts'
import { seedIndex } from './seedIndex.ts'
import { createUndoing, type Undoing } from './undoEvents.ts'

export type BuildDeps = {
  readonly chain: Chain
  readonly chainId: number
  readonly scope: IndexScope
  readonly limits: SyncLimits
  readonly search: PoolSearch
  /** Tokens of the list. */
  readonly tokens: readonly Address[]
  readonly spool: LogSpool
  readonly onProgress: (done: BuildProgress) => void
  readonly signal: AbortSignal
}

/** How many of the span's blocks are read, and then folded. */
export type BuildProgress = { readonly read: number; readonly folded: number; readonly blocks: number }

/** An index that begins late. `sinceSeconds`: from when on it has every event; the blocks before are not in it. */
export type BuiltIndex = {
  readonly startBlock: number
  readonly sinceSeconds: number
  readonly poolCount: number
}

/** Blocks under the head at which contracts are asked at most: many nodes keep the state of 128. */
const depthMax = 32
/** Contracts of other exchanges that are asked whose they are. */
const strangersMax = 20_000

/** What does not change is read once, however many indexes are built, and however often. */
export type Known = {
  readonly pools: Map<Address, PoolFacts>
  readonly tokens: Map<Address, TokenFacts>
  searched: boolean
  /** The block after which an index begins, by how far back it reaches: ranges on disk begin there. */
  readonly starts: Map<number, BlockRef>
}

/**
 * Builds an index of the last seconds into an empty store: it reads the newest events, asks the contracts what pools are now, takes the
 * events back from that, and folds them on top of it.
 * @param seconds how far back it reaches; 0: it begins now
 * @returns undefined where the exchange is not that old
 * @throws Failure of the node or the store: nothing of the store is of use then
 */
export async function buildIndex(
  deps: BuildDeps,
  store: Store,
  { seconds, known }: { readonly seconds: number; readonly known: Known },
): Promise<BuiltIndex | undefined> {
  const { chain, scope } = deps
  const of = await readIdentity(chain, deps.chainId)
  if (!known.searched) await search(deps, known)
  const start = known.starts.get(seconds) ?? (await findStart(deps, seconds))
  if (!start) return undefined
  if (seconds > 0) known.starts.set(seconds, start)
  const first = start.number + 1
  const read = await readSettled(deps)
  await readLogs(deps, known, { from: first, to: read.number })
  const undoing = createUndoing()
  const created = await sumUp(deps, undoing, { from: first, to: read.number })
  await meetStrangers(deps, known, { met: undoing.pools(), created })
  // The newest ones, which were made meanwhile: contracts tell only what they are lately.
  const settled = await readSettled(deps)
  await readLogs(deps, known, { from: first, to: settled.number })
  for (const pool of await sumUp(deps, undoing, { from: read.number + 1, to: settled.number })) created.add(pool)
  const pools = [...known.pools.values()].filter(({ address }) => !created.has(address))
  const now = await readPools(chain, pools, { block: settled, multicall: deps.search.multicall, wanted: undoing.ticksWanted() })
  const identity = nameIndex(of, scope, { startBlock: first })
  await seedIndex(store, {
    ...{ identity, at: start, scope },
    pools: now.map(undoing.undo),
    tokens: await readTokens(deps, known, { pools, block: settled }),
  })
  const cursor = await foldAgain(deps, store, { identity, start, end: settled })
  if (cursor.number !== settled.number) throw broken(cursor.number, settled.number)
  return { startBlock: first, sinceSeconds: start.timestampSeconds, poolCount: now.length }
}

async function search({ chain, search: where, tokens, scope }: BuildDeps, known: Known): Promise<void> {
  const { stables, wrappedNative, quotes } = scope.valuation
  const found = await findPools(chain, where, { tokens, quotes: [...new Set([...stables, wrappedNative, ...quotes])] })
  for (const pool of await readPoolFacts(chain, where, found)) known.pools.set(pool.address, pool)
  known.searched = true
}

/** The newest block that does not change any more. */
async function readSettled({ chain, limits }: BuildDeps): Promise<Header> {
  const head = await chain.readHead()
  const number = Math.max(0, head.number - Math.min(limits.confirmations, depthMax))
  const settled = number === head.number ? head : await chain.readHeader(number)
  if (!settled) throw new Failure('rpc-unavailable', `The node does not have block ${number}`, { retryable: true })
  return settled
}

/** The block after which the index begins: its events are those of whole hours. */
async function findStart(deps: BuildDeps, seconds: number): Promise<BlockRef | undefined> {
  const newest = await readSettled(deps)
  if (seconds === 0) return newest
  const before = startOfHour(newest.timestampSeconds) - seconds
  return findBlockAt(deps.chain, before, { firstBlock: deps.limits.startBlock, newest })
}

/** The newest first, so that what is there after a failure is of use to the stage. */
async function readLogs(deps: BuildDeps, known: Known, { from, to }: { from: number; to: number }): Promise<void> {
  const { chain, spool, scope, limits, signal, onProgress } = deps
  const spans = spool.missing(from, to)
  const blocks = to - from + 1
  let left = spans.reduce((sum, span) => sum + span.to - span.from + 1, 0)
  const report = () => onProgress({ read: blocks - left, folded: 0, blocks })
  report()
  const contracts = toWantedContracts(scope, async () => [...known.pools.keys()])
  for (const span of spans.toReversed()) {
    const request = { ...span, topics: indexedTopics, contracts, order: 'down', spanMax: limits.spanMax, signal } as const
    for await (const range of chain.readHistory(request)) {
      const ends = toSpan(range)
      await spool.put(ends, range)
      left -= ends.to - ends.from + 1
      report()
    }
  }
  if (signal.aborted) throw stopped()
}

function toSpan(range: ChainRange): { from: number; to: number } {
  const [first, last] = rangeEnds(range)
  return { from: first.number, to: last.number }
}

type Event = Swap | PoolEvent
type Blocks = { readonly from: number; readonly to: number }

/** @returns pools that were made in these blocks: their first event is in them */
async function sumUp({ spool, scope, signal }: BuildDeps, undoing: Undoing, { from, to }: Blocks): Promise<Set<Address>> {
  const created = new Set<Address>()
  for await (const { logs } of spool.read(from)) {
    if (signal.aborted) throw stopped()
    const events: Event[] = []
    for (const log of logs) {
      if (log.blockNumber < from || log.blockNumber > to) continue
      const event = decodeLog(log)
      if (event?.kind === 'poolCreated' && event.factory === scope.factory) created.add(event.pool)
      else if (event && event.kind !== 'poolCreated' && event.kind !== 'setFeeProtocol') events.push(event)
    }
    undoing.add(events)
  }
  return created
}

type Met = { readonly met: ReadonlySet<Address>; readonly created: ReadonlySet<Address> }

/** Pools of listed tokens with others emit events, too: they are found by them. */
async function meetStrangers({ chain, search: where }: BuildDeps, known: Known, { met, created }: Met): Promise<void> {
  const strangers = [...met].filter((address) => !known.pools.has(address) && !created.has(address)).slice(0, strangersMax)
  for (const pool of await readPoolFacts(chain, where, strangers)) known.pools.set(pool.address, pool)
}

type Tokens = { readonly pools: readonly PoolFacts[]; readonly block: BlockRef }

async function readTokens(
  { chain, search: { multicall } }: BuildDeps,
  known: Known,
  { pools, block }: Tokens,
): Promise<TokenFacts[]> {
  const wanted = [...new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]))]
  const unknown = wanted.filter((token) => !known.tokens.has(token))
  // At the block of the pools: a node behind it has no word on a token that is new.
  const read = await readManyTokenFacts(unknown, (calls) => callAt(chain, calls, { block, multicall }))
  for (const token of read) known.tokens.set(token.address, token)
  return wanted.flatMap((token) => known.tokens.get(token) ?? [])
}

/** @returns the last block that is in the store */
async function foldAgain(
  { chain, scope, spool, signal, onProgress }: BuildDeps,
  store: Store,
  { identity, start, end }: { readonly identity: string; readonly start: BlockRef; readonly end: BlockRef },
): Promise<BlockRef> {
  const holder: WorldHolder = { world: undefined }
  const blocks = end.number - start.number
  let cursor = start
  const ranges = spool.read(start.number + 1)[Symbol.asyncIterator]()
  let coming = ranges.next()
  for (let range = (await coming).value; range; range = (await coming).value) {
    if (signal.aborted) throw stopped()
    checkLink(range, cursor)
    coming = ranges.next()
    // Who awaits it meets the failure.
    coming.catch(() => undefined)
    cursor = await storeRange(
      { chain, store, scope, identity, holder, upcoming: (last) => findNext(coming, last) },
      range,
      cursor,
    )
    onProgress({ read: blocks, folded: cursor.number - start.number, blocks })
  }
  return cursor
}

async function findNext(coming: Promise<IteratorResult<ChainRange, undefined>>, last: BlockRef): Promise<ChainRange | undefined> {
  const range = (await coming).value
  return range && isLinked(range, last) ? range : undefined
}

/** Blocks that were settled do not change, but nodes may be of two minds. */
function checkLink(range: ChainRange, cursor: BlockRef): void {
  if (!isLinked(range, cursor)) throw broken(cursor.number, cursor.number + 1)
}

function broken(before: number, after: number): Failure {
  return new Failure('rpc-invalid', `Blocks after ${before} do not continue to block ${after}`, { retryable: true })
}

function stopped(): Failure {
  return new Failure('rpc-unavailable', 'The reading was stopped', { retryable: true })
}
