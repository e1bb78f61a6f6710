import { Failure, type FailureCode, type ReadingPhase, supervise, toLogLine } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { type ChainIdentity, readIdentity } from '../chain/chainIdentity.ts'
import type { KeptSince } from '../store/keptSince.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
import { isStoreFailure, silentText } from '../store/toStoreFailure.ts'
import type { Verification, Witness } from '../witness/witness.ts'
import { adoptIndex, nameIndex } from './adoptIndex.ts'
import { createBlockGaps } from './blockGaps.ts'
import type { IndexScope } from './indexScope.ts'
import { performStep, type StepMemory } from './performStep.ts'
import { createReadAhead } from './readAhead.ts'
import { createReadingPace, type Pace, type ReadingPace } from './readingPace.ts'
import { settleScope } from './settleScope.ts'
import {
  type FailReason,
  isNodeBehind,
  nextSync,
  type SyncEvent,
  type SyncLimits,
  type SyncState,
  startSync,
} from './syncMachine.ts'
import { forgetWorld, type WorldHolder } from './worldHolder.ts'

/** A statement without an answer for so long means that the database does not answer. */
const silentMsMax = 10_000
const startBackoffFirstMs = 250
const startBackoffMaxMs = 5_000
/** While the chain is read, the log says how far it is as often as this. */
const progressMs = 60_000

export type FollowDeps = {
  readonly chain: Chain
  readonly store: Store
  readonly limits: SyncLimits
  readonly scope: IndexScope
  readonly chainId: number
  readonly log: FollowLog
  readonly nowMs: () => number
  /** A clock for waits, which nobody sets; absent: `nowMs` is one. */
  readonly steadyMs?: (() => number) | undefined
  /** Checks the node; absent: whatever it gives is taken. */
  readonly witness?: Witness | undefined
  /**
   * Called while the index waits for the next block, which does not come meanwhile.
   * @returns whether it changed what the index holds: following starts again from the store then
   */
  readonly join?: ((last: BlockRef) => Promise<boolean>) | undefined
  /** Where the world of the index is kept; absent: nobody else has to do with it. */
  readonly holder?: WorldHolder | undefined
  /** The clock: resolves after `ms`, or at once when `signal` is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** After every change of the index, and when it first turns out to be complete. */
  readonly onChange: (change: IndexChange) => void
}

/** `caughtUp`: it holds the newest block seen. `rolledBack`: it was taken back to `cursor`, the chain has left what came after. */
export type IndexChange = { readonly caughtUp: boolean; readonly cursor: BlockRef | undefined; readonly rolledBack: boolean }

export type FollowLog = {
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}

/**
 * Why following does not get on. `node`: it does not answer, or refuses. `untrue`: what it answers cannot be true. `other-chain`, `behind`: it is the wrong one, or ends
 * before the index. `disputed`: it contradicts the index deeper than one node's word reaches. `store`: the database fails.
 * `fault`: an error of ours.
 */
export type TroubleKind = 'node' | 'untrue' | 'other-chain' | 'behind' | 'disputed' | 'store' | 'fault'
export type Trouble = { readonly kind: TroubleKind; readonly text: string; readonly sinceMs: number }

/** How far a phase of reading is: so many of its blocks are read. `pace` is undefined in the first seconds. */
export type Reading = {
  readonly phase: ReadingPhase
  readonly read: number
  readonly blocks: number
  readonly pace: Pace | undefined
}

/** How the index stands to the chain. Times are unix milliseconds. */
export type FollowStatus = {
  readonly cursor: BlockRef | undefined
  /** Highest block seen; undefined before the first contact. */
  readonly head: number | undefined
  /** Where the index begins. */
  readonly firstBlock?: number | undefined
  /** How quickly the chain is read; undefined at its head, and in the first seconds. */
  readonly pace?: Pace | undefined
  /** When that block was made, by the chain; unix seconds. */
  readonly headAtSeconds: number | undefined
  /** The longest gap between the last blocks seen; undefined before the second one. */
  readonly longestGapSeconds: number | undefined
  /** Last successful look at the chain since the start. */
  readonly contactAtMs: number | undefined
  /** Why the last step failed; undefined when it did not. */
  readonly trouble: Trouble | undefined
  /** Whether the index has held the newest block at least once since the start. */
  readonly complete: boolean
  /** How often an error of ours has ended following, which then started again. */
  readonly faults: number
  /** How far the index was compared with the contracts; undefined where nothing checks it. */
  readonly verification?: Verification | undefined
  /** What is read besides the newest blocks; absent: what this index lacks of them. */
  readonly reading?: Reading | undefined
  /** Unix seconds from when on the index has every event; absent: from the beginning. */
  readonly completeSinceSeconds?: number | undefined
  /** From when on swaps and hours are kept; absent: from the beginning. */
  readonly kept?: KeptSince | undefined
}

/** @returns undefined at the head, and before the chain was seen */
export function toHistoryReading({ cursor, head, firstBlock = 0, pace }: FollowStatus): Reading | undefined {
  if (!cursor || head === undefined || head <= cursor.number) return undefined
  return { phase: 'history', read: Math.max(0, cursor.number - firstBlock), blocks: head - firstBlock, pace }
}

export type Follower = { status(): FollowStatus /** Resolves when the running step has ended. */; stop(): Promise<void> }

/**
 * Follows the chain into the index until stopped. Failures of the node and of the store are retried with longer and longer
 * waits; after an error of ours following starts again from what is stored.
 */
export function followChain(deps: FollowDeps): Follower {
  const stopping = new AbortController()
  const { signal } = stopping
  const status: Status = {
    cursor: undefined,
    head: undefined,
    firstBlock: deps.limits.startBlock,
    pace: undefined,
    headAtSeconds: undefined,
    longestGapSeconds: undefined,
    contactAtMs: undefined,
    trouble: undefined,
    complete: false,
    faults: 0,
  }
  const done = supervise(() => run(deps, status, signal), {
    ...deps,
    signal,
    onFault: (error, retryInMs) => {
      status.faults += 1
      setTrouble(deps, status, 'fault', 'An error in the server stopped the reading of the chain; it restarts')
      deps.log.error({ err: error, retryInMs }, 'Following the chain failed because of a bug and restarts')
    },
  })
  return {
    status: () => ({ ...status, trouble: findTrouble(deps, status), verification: deps.witness?.status() }),
    stop: () => {
      stopping.abort()
      return done
    },
  }
}

type Status = {
  -readonly [K in Exclude<keyof FollowStatus, 'verification' | 'reading' | 'completeSinceSeconds' | 'kept'>]: FollowStatus[K]
}

async function run(deps: FollowDeps, status: Status, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const started = await start(deps, status, signal)
    if (started) await follow(deps, status, { ...started, signal })
  }
}

/** Follows one chain until stopped, or until the node is on another one. */
async function follow(deps: FollowDeps, status: Status, started: Started & { readonly signal: AbortSignal }): Promise<void> {
  const { signal } = started
  const { of, identity, scope } = started
  status.cursor = started.cursor
  let [state, step] = startSync(deps.limits, started.cursor)
  const { holder = { world: undefined }, steadyMs = deps.nowMs } = deps
  forgetWorld(holder)
  holder.past = undefined
  const memory: StepMemory = { identityCheckedAtMs: steadyMs(), dispute: undefined }
  const gaps = createBlockGaps()
  const reading = createReadingPace()
  let loggedAtMs = steadyMs()
  const ahead = createReadAhead({ ...deps, scope, spanMax: deps.limits.spanMax, signal })
  while (!signal.aborted) {
    if (step.kind === 'wait' && state.failures === 0 && state.cursor && (await deps.join?.(state.cursor))) return
    const event = await performStep({ ...deps, steadyMs, scope, of, identity, signal, holder, memory, ahead }, state, step).catch(
      toFailed,
    )
    const before = state
    ;[state, step] = nextSync(state, event)
    // What a node says of its head alone may be made up: what was stored continues the index.
    const { cursor } = state
    if (cursor && cursor.number >= (state.head ?? Number.POSITIVE_INFINITY))
      status.longestGapSeconds = gaps.see({ number: cursor.number, atSeconds: cursor.timestampSeconds })
    status.cursor = state.cursor
    status.head = state.head ?? status.head
    const atMs = steadyMs()
    status.pace = measure(reading, state, { event, atMs, before: status.pace })
    if (status.pace && atMs - loggedAtMs >= progressMs) {
      loggedAtMs = atMs
      deps.log.info({ block: state.cursor?.number, head: state.head, ...status.pace }, 'Reading the chain')
    }
    // Which index goes with the chain that is there now is found out as at the start.
    if ('failure' in event && (await isElsewhere(deps.store, event.failure))) return
    report(deps, status, { before, state, event })
  }
}

/** Whether the chain is another one, or the index is gone: a database was restored under the server. */
async function isElsewhere({ read }: Store, { code }: Failure): Promise<boolean> {
  if (code !== 'store-in-use') return code === 'rpc-other-chain'
  const found = await findCursor(read).catch(() => 'unknown' as const)
  return found !== 'unknown' && !found?.identity
}

type Measured = { readonly event: SyncEvent; readonly atMs: number; readonly before: Pace | undefined }

/** @returns the pace while blocks are read that do not change any more */
function measure(reading: ReadingPace, { cursor, head, limits }: SyncState, { event, atMs, before }: Measured): Pace | undefined {
  if (event.kind === 'rolledBack' || (event.kind === 'failed' && event.reason !== 'range-too-wide')) return undefined
  if (event.kind !== 'rangeStored') return before
  const { number } = event.last
  if (cursor && head !== undefined && number < head - limits.confirmations)
    return reading.see({ atMs, block: number, events: event.logs }) ?? before
  reading.reset()
  return undefined
}

type Started = {
  readonly of: ChainIdentity
  readonly identity: string
  readonly cursor: BlockRef | undefined
  /** With the tokens whose pools the index has. */
  readonly scope: IndexScope
}

/** Asks which chain this is, and finds its index, until both have answered. `undefined`: stopped before. */
async function start(deps: FollowDeps, status: Status, signal: AbortSignal): Promise<Started | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      status.cursor = (await findCursor(deps.store.read))?.block
      const of = await readIdentity(deps.chain, deps.chainId)
      const identity = nameIndex(of, deps.scope, deps.limits)
      const cursor = await adoptIndex(deps, of, { identity, mayRestart: deps.limits.mayRestart })
      const scope = await settleScope(deps, identity)
      await deps.witness?.open()
      return { of, identity, cursor, scope }
    } catch (error) {
      reportFailed(deps, status, toFailed(error))
      await deps.pause(Math.min(startBackoffMaxMs, startBackoffFirstMs * 2 ** Math.min(failures, 16)), signal)
    }
  }
  return undefined
}

type Failed = SyncEvent & { kind: 'failed' } & { readonly failure: Failure }

/** Failures of the node and the store become events. What is thrown otherwise is a bug, and ends the run. */
function toFailed(error: unknown): Failed {
  if (!(error instanceof Failure)) throw error
  const { retryAfterMs, blocks, refusal } = error.detail
  return {
    kind: 'failed',
    reason: toReason(error),
    failure: error,
    ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}),
    ...(typeof blocks === 'number' ? { blocks } : {}),
    ...(refusal === 'range-too-wide' ? { always: true } : {}),
  }
}

function toReason(failure: Failure): FailReason {
  if (isStoreFailure(failure)) return 'store'
  if (failure.code === 'rpc-range-too-wide') return 'range-too-wide'
  return failure.code === 'rpc-rate-limited' ? 'rate-limited' : 'other'
}

const troubleKinds: Readonly<Partial<Record<FailureCode, TroubleKind>>> = {
  'rpc-invalid': 'untrue',
  'rpc-other-chain': 'other-chain',
  'rpc-behind': 'behind',
  'rpc-disputed': 'disputed',
}

function reportFailed(deps: FollowDeps, status: Status, { failure, reason }: Failed): void {
  const kind = isStoreFailure(failure) ? 'store' : (troubleKinds[failure.code] ?? 'node')
  const isNews = setTrouble(deps, status, kind, failure.message)
  if (isNews) deps.log.warn({ reason, block: status.cursor?.number, cause: oneLine(failure.cause) }, failure.message)
}

/** A database that hangs fails no step for a minute: until then its silence is the trouble. */
function findTrouble({ store, nowMs }: FollowDeps, { trouble }: Status): Trouble | undefined {
  const silentMs = store.silentMs?.() ?? 0
  if (trouble?.kind === 'store' || silentMs < silentMsMax) return trouble
  return { kind: 'store', text: silentText, sinceMs: nowMs() - silentMs }
}

/** @returns whether this is another trouble than before */
function setTrouble({ nowMs }: FollowDeps, status: Status, kind: TroubleKind, text: string): boolean {
  const { trouble } = status
  if (trouble?.kind === kind && trouble.text === text) return false
  status.trouble = { kind, text, sinceMs: trouble?.kind === kind ? trouble.sinceMs : nowMs() }
  return true
}

type Happened = { readonly before: SyncState; readonly state: SyncState; readonly event: SyncEvent | Failed }

function report(deps: FollowDeps, status: Status, { before, state, event }: Happened): void {
  if ('failure' in event) reportFailed(deps, status, event)
  if (event.kind === 'waited' || event.kind === 'forked' || event.kind === 'failed') return
  status.contactAtMs = deps.nowMs()
  if (event.kind === 'headRead') status.headAtSeconds = event.headAtSeconds
  const isBehind = event.kind === 'headRead' && isNodeBehind(state)
  if (isBehind) {
    const text = `The node is behind: it ends at block ${event.head}, the index at block ${state.cursor?.number}`
    if (setTrouble(deps, status, 'behind', text)) deps.log.warn({ block: status.cursor?.number }, text)
  } else if (status.trouble !== undefined && state.failures === 0) {
    deps.log.info({ block: state.cursor?.number }, 'Following the chain again')
    status.trouble = undefined
  }
  const { cursor } = state
  const caughtUp = cursor !== undefined && cursor.number >= (state.head ?? 0)
  // A commit whose answer was lost shows at the next look at the store.
  const moved = event.kind === 'headRead' && cursor?.hash !== before.cursor?.hash
  if (event.kind === 'rangeStored' || moved || (caughtUp && !status.complete && event.kind === 'headRead'))
    deps.onChange({ caughtUp, cursor, rolledBack: false })
  status.complete ||= caughtUp && event.kind !== 'rolledBack'
  if (event.kind === 'rolledBack') {
    const why = event.repairs !== undefined ? 'The index differed from the chain' : 'The chain has reorganised'
    deps.log.warn({ from: before.cursor?.number, to: event.cursor?.number }, `${why}: index rolled back`)
    deps.onChange({ caughtUp: true, cursor: event.cursor, rolledBack: true })
  }
}

/** A library's error without its stack. */
function oneLine(cause: unknown): string | undefined {
  return cause instanceof Error ? toLogLine(cause.message) : undefined
}
