import { Failure } from '@chainboard/core'
import { type BlockTime, judgeLead, type Lead } from '../chain/blockTimes.ts'
import type { Chain, ChainRange } from '../chain/chain.ts'
import { type ChainIdentity, checkIdentity } from '../chain/chainIdentity.ts'
import { type Dispute, judgeByNodes } from '../chain/judgeReorg.ts'
import { invalid } from '../chain/parseAnswer.ts'
import { findBlock, listBlocksDown } from '../store/blocks.ts'
import { keepOpen } from '../store/keptSince.ts'
import { listPoolAddresses } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
import type { Witness } from '../witness/witness.ts'
import { describeAside } from './adoptIndex.ts'
import { findWrongTime, isLinked } from './checkLinks.ts'
import { indexedTopics } from './decodeLog.ts'
import type { IndexScope } from './indexScope.ts'
import type { ReadAhead } from './readAhead.ts'
import { findFork, isOffBranch, rollBack } from './rollBack.ts'
import { type GivenBlock, settleTimes } from './settleTimes.ts'
import type { SyncEvent, SyncLimits, SyncState, SyncStep } from './syncMachine.ts'
import { checkIndex, takeRange } from './takeRange.ts'
import { toWantedContracts } from './wantedContracts.ts'
import { forgetNext, type WorldHolder } from './worldHolder.ts'

/** Which chain a node is on is asked again after so long, after every failure, and before a rollback. */
const identityCheckMs = 60_000

export type StepDeps = {
  readonly chain: Chain
  readonly store: Store
  readonly scope: IndexScope
  readonly limits: SyncLimits
  readonly witness?: Witness | undefined
  readonly log: { warn(facts: object, text: string): void }
  readonly nowMs: () => number
  /** A clock for waits, which nobody sets. */
  readonly steadyMs: () => number
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** What the index is made from; `of` names the index. */
  readonly identity: string
  readonly of: ChainIdentity
  readonly signal: AbortSignal
  readonly holder: WorldHolder
  readonly memory: StepMemory
  readonly ahead: ReadAhead
}

/** What one step remembers for later ones. Times are by `steadyMs`. */
export type StepMemory = {
  identityCheckedAtMs: number
  /** The branch against which the index was not taken back, and since when it has stood. */
  dispute: Dispute | undefined
  /** Asks the node last that told of another branch than the index is on, by its head or by a range. */
  distrustForked?: (() => void) | undefined
  /** Another time than the index has of a block, by its nodes, and since when they say so. */
  timeDispute?: Dispute | undefined
  /** The last range that was stored, by its last block. */
  newest?: GivenBlock | undefined
  /** How far the chain is ahead of the clock. */
  lead?: Lead
}

type StoreRange = SyncStep & { readonly kind: 'storeRange' }

/** Does what the sync machine decided on. @throws Failure of the node or of the store; anything else is a bug */
export async function performStep(deps: StepDeps, state: SyncState, step: SyncStep): Promise<SyncEvent> {
  if (step.kind !== 'storeRange') forgetNext(deps.holder)
  switch (step.kind) {
    case 'readHead':
      return readHead(deps, state)
    case 'storeRange':
      return readAndStore(deps, state, step)
    case 'rollBack':
      return followReorg(deps, state)
    case 'wait': {
      const found = state.failures === 0 ? await checkIndex(deps, state.cursor, state.head) : undefined
      if (found) return found
      // What one node makes up may be why steps fail: the others show it.
      if (state.failures > 0 && state.cursor) deps.witness?.compareNodes(state.cursor.number)
      await deps.pause(step.ms, deps.signal)
      return { kind: 'waited' }
    }
  }
}

/** What was read ahead is of use only behind a range that was stored: after anything else it is read again. */
async function readAndStore(deps: StepDeps, { cursor }: SyncState, step: StoreRange): Promise<SyncEvent> {
  let isStored = false
  try {
    const range = await (step.everyHeader ? readLinked(deps, step) : deps.ahead.next(step, cursor))
    if (!range) return { kind: 'waited' }
    if (!isLinked(range, cursor)) {
      deps.memory.distrustForked = range.distrust
      return { kind: 'forked' }
    }
    const why = findWrongTime(range, cursor) ?? findLead(deps, cursor, range.headers.at(-1))
    if (why !== undefined) {
      return await settleTimes(deps, cursor, { failure: invalid(why), distrust: range.distrust })
    }
    const upcoming = step.everyHeader ? undefined : (last: BlockRef) => findUpcoming(deps.ahead, last)
    const event = await takeRange({ ...deps, upcoming }, range, cursor)
    if (event.kind === 'rangeStored') {
      isStored = true
      range.taken?.()
      deps.memory.timeDispute = undefined
      deps.memory.newest = { hash: event.last.hash, distrust: range.distrust }
    }
    return event
  } finally {
    if (!isStored) {
      deps.ahead.drop()
      forgetNext(deps.holder)
    }
  }
}

/** What is read already behind a block, if it continues it: anything else is looked at when its turn comes. */
async function findUpcoming(ahead: ReadAhead, last: BlockRef): Promise<ChainRange | undefined> {
  const range = await ahead.peek()
  return range && isLinked(range, last) && findWrongTime(range, last) === undefined ? range : undefined
}

function readLinked({ chain, scope, store }: StepDeps, { from, to }: StoreRange) {
  const contracts = toWantedContracts(scope, () => listPoolAddresses(store.read))
  return chain.readRange({ from, to, everyHeader: true, topics: indexedTopics, contracts })
}

async function readHead(deps: StepDeps, { failures, cursor: own }: SyncState): Promise<SyncEvent> {
  const { chain, store, memory, steadyMs } = deps
  if (failures > 0 || steadyMs() - memory.identityCheckedAtMs >= identityCheckMs) {
    await checkIdentity(chain, deps.of)
    memory.identityCheckedAtMs = steadyMs()
  }
  const head = await chain.readHead()
  memory.distrustForked = head.distrust
  const cursor = (await findCursor(store.read))?.block
  // Somebody else has moved it: what is in memory belongs to another block.
  if (cursor?.hash !== own?.hash) deps.holder.world = undefined
  const stored = await findBlock(store.read, head.number)
  const isRetold = stored?.hash === head.hash && stored.timestampSeconds !== head.timestampSeconds
  const why = isRetold ? describeRetold(head, stored) : findLead(deps, cursor, head)
  if (why !== undefined) {
    return settleTimes(deps, isRetold ? stored : undefined, { failure: invalid(why), distrust: head.distrust })
  }
  const known = await compareHead(deps, head, cursor)
  const { dispute } = memory
  if (known !== 'other' && dispute?.ofMost && (await isStillOfMost(deps, dispute, dispute.ofMost.depth)))
    return { kind: 'forked' }
  if (known === 'same') {
    memory.dispute = undefined
    memory.timeDispute = undefined
  }
  return { kind: 'headRead', head: head.number, headAtSeconds: head.timestampSeconds, known, cursor }
}

function describeRetold({ number, timestampSeconds }: BlockTime, stored: BlockTime): string {
  return `The node dates block ${number} at ${timestampSeconds}, the index at ${stored.timestampSeconds}`
}

/** Why a block cannot be as far ahead of the clock as it is; of a test chain nothing is said, it sets its time as it likes. */
function findLead(
  { memory, nowMs, steadyMs, limits }: StepDeps,
  cursor: BlockTime | undefined,
  block: BlockTime | undefined,
): string | undefined {
  if (!block || limits.mayRestart) return undefined
  const aheadSeconds = cursor ? cursor.timestampSeconds - Math.floor(nowMs() / 1000) : 0
  const { knownSeconds = 0, sinceMs } = memory.lead ?? {}
  const { lead, why } = judgeLead({ knownSeconds: Math.max(knownSeconds, aheadSeconds), sinceMs }, block, {
    nowMs: nowMs(),
    steadyMs: steadyMs(),
  })
  memory.lead = lead
  return why
}

/**
 * How the head compares with the index. Where the index is longer and has no reference to a block of the head's number, the next one
 * below decides, and the time: a chain that ends earlier may be another branch.
 */
async function compareHead({ chain, store }: StepDeps, head: BlockRef, cursor: BlockRef | undefined) {
  const [stored] = await listBlocksDown(store.read, head.number, 1)
  if (!stored) return 'none'
  if (stored.number === head.number) return stored.hash === head.hash ? 'same' : 'other'
  if (!cursor || cursor.number < head.number) return 'none'
  if (isOffBranch(head, cursor)) return 'other'
  const below = await chain.readHeader(stored.number)
  return below && below.hash !== stored.hash ? 'other' : 'none'
}

/**
 * While most nodes are on another branch the index does not grow, whichever node answers.
 * @returns whether that branch is to be followed now; otherwise they have given it up
 * @throws Failure `rpc-disputed` until one or the other
 */
async function isStillOfMost({ chain, limits, memory, steadyMs }: StepDeps, dispute: Dispute, depth: number): Promise<boolean> {
  const { number, branch } = dispute
  const verdict = await judgeByNodes(chain, {
    ...{ number, branch, depth, dispute },
    depthMax: limits.reorgDepthMax,
    nowMs: steadyMs(),
  })
  if (!verdict.go) {
    memory.dispute = verdict.dispute.ofMost && verdict.dispute
    if (!memory.dispute) return false
  }
  const own = await chain.readHeader(number)
  if (verdict.go && own?.hash === branch) {
    memory.distrustForked = undefined
    return true
  }
  // Its head may lie above the index and say nothing: this block tells whether it is one of them.
  if (own && own.hash !== branch) own.distrust?.()
  throw new Failure('rpc-disputed', verdict.go ? describeOther(number) : verdict.why, { retryable: true })
}

function describeOther(number: number): string {
  return `Most nodes have another block ${number} than the index, but the current one does not: check RPC_URL`
}

/** Takes the index back to what it shares with the chain, if that may be believed. */
async function followReorg(deps: StepDeps, { cursor, limits }: SyncState): Promise<SyncEvent> {
  const { chain, store, memory, steadyMs } = deps
  await checkIdentity(chain, deps.of)
  const fork = await findFork(chain, store, { mayRestart: limits.mayRestart, distrustForked: memory.distrustForked })
  const { depth, other, distrust } = fork
  // Events from there on may be deleted: then nothing of the index can be taken back to it.
  const ancestor = await keepOpen(store.read, fork.ancestor)
  if (ancestor?.number === cursor?.number) return { kind: 'rolledBack', cursor: ancestor }
  if (!limits.mayRestart && other) {
    const verdict = await judgeByNodes(chain, {
      number: other.number,
      branch: other.hash,
      depth,
      depthMax: limits.reorgDepthMax,
      nowMs: steadyMs(),
      dispute: memory.dispute,
    })
    if (!verdict.go) {
      // What most nodes say stands, though one of the others tells of a branch in between.
      if (verdict.dispute.ofMost || !memory.dispute?.ofMost) memory.dispute = verdict.dispute
      // One of those that do not answer may agree with it.
      if (verdict.isDenied) distrust?.()
      throw new Failure('rpc-disputed', verdict.why, { retryable: true })
    }
  }
  // The node may have changed in between: what was just seen must be of this chain, too.
  await checkIdentity(chain, deps.of)
  memory.dispute = undefined
  const number = await rollBack(deps, ancestor)
  deps.witness?.rolledBack(ancestor?.number ?? -1)
  if (number !== undefined) deps.log.warn({ number }, describeAside(number))
  return { kind: 'rolledBack', cursor: ancestor }
}
