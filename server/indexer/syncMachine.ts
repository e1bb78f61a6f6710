import type { BlockRef } from '../store/syncCursor.ts'

export type SyncLimits = {
  /** First block that may hold something of interest: the factory's. */
  readonly startBlock: number
  /** Blocks under the head that may still change; a range that reaches them is read with every link checked. */
  readonly confirmations: number
  readonly pollMs: number
  /** Widest range ever asked for. */
  readonly spanMax: number
  /** Blocks of a reorg that one node's word is enough for; a deeper one needs agreement or time. */
  readonly reorgDepthMax: number
  /** A test chain that may lose blocks or start over: whatever it does is followed at once. */
  readonly mayRestart: boolean
}

export type SyncState = {
  readonly limits: SyncLimits
  /** Last block in the index; undefined before the first. */
  readonly cursor: BlockRef | undefined
  /** Highest block the chain was seen at; undefined before the first look. */
  readonly head: number | undefined
  /** Blocks to ask for at once near the head, and after a failure: narrows when refused, grows back. */
  readonly span: number
  /** The widest range that a node has not refused, and for how many ranges more that is believed. */
  readonly told: { readonly blocks: number; readonly ranges: number } | undefined
  /** Up to here every block is read by its hash, as near the head: a node had left something out of a range. */
  readonly linkedTo?: number | undefined
  /** Failed steps in a row. */
  readonly failures: number
  /** Looks in a row at which the chain ended below the cursor. */
  readonly shortLooks: number
}

export type SyncEvent =
  /**
   * `known`: how the head compares with the index's own reference to a block of that number. `cursor`: the last block in the
   * index, as the store has it, since an answer of the store may have been lost after its commit.
   */
  | {
      readonly kind: 'headRead'
      readonly head: number
      /** When that block was made, by the chain; unix seconds. */
      readonly headAtSeconds: number
      readonly known: 'same' | 'other' | 'none'
      readonly cursor: BlockRef | undefined
    }
  | Stored
  /** The range read does not continue the cursor's block. */
  | { readonly kind: 'forked' }
  /**
   * The index ends at `cursor` now: the newest block that it shares with the chain, or nothing. `repairs`: a block of the chain as it
   * was, which the index had wrong.
   */
  | { readonly kind: 'rolledBack'; readonly cursor: BlockRef | undefined; readonly repairs?: number }
  | Failed
  | { readonly kind: 'waited' }

/** `last`: the last block that came, at the end asked for or before it. */
type Stored = { readonly kind: 'rangeStored'; readonly last: BlockRef; readonly logs: number }

/** `blocks`: the width that the node said will do. `always`: it refuses every range of this width, not this one for what it holds. */
type Failed = {
  readonly kind: 'failed'
  readonly reason: FailReason
  readonly retryAfterMs?: number
  readonly blocks?: number
  readonly always?: boolean
}

/** `store`: the database failed. `other`: the node did, in another way than the first two. */
export type FailReason = 'range-too-wide' | 'rate-limited' | 'store' | 'other'

export type SyncStep =
  | { readonly kind: 'readHead' }
  /** `everyHeader`: all of these blocks are read with their links. Otherwise they are settled, and as many of them as come next. */
  | { readonly kind: 'storeRange'; readonly from: number; readonly to: number; readonly everyHeader: boolean }
  | { readonly kind: 'rollBack' }
  | { readonly kind: 'wait'; readonly ms: number }

/** Blocks of a range whose every header is read; keeps that one request small. */
const linkedSpanMax = 32
const spanFirst = 100
/** Logs that one range should hold. */
const logsWanted = 2_000
const growth = 2
/** After so many refusals in a row for the rate, ranges are narrowed as well. */
const rateFailuresMax = 3
/** For so many ranges no wider one is asked for, and for no more than they are wide: nodes change their limits, and many events are soon over. */
const toldRanges = { always: 500, once: 20 }
const backoffFirstMs = 250
/** A node that limits the rate is left alone for longest; a database is asked often, so that the site is back at once. */
const backoffMaxMs: Readonly<Record<FailReason, number>> = {
  'range-too-wide': 5_000,
  'rate-limited': 30_000,
  store: 2_000,
  other: 5_000,
}
/** A node may lag behind its siblings for a moment; a chain that stays short was cut. */
const shortLooksMax = 10

/** The state before anything is known of the chain. @param cursor the index's last block; undefined while it is empty */
export function startSync(limits: SyncLimits, cursor: BlockRef | undefined): [SyncState, SyncStep] {
  const span = Math.min(spanFirst, limits.spanMax)
  return [{ limits, cursor, head: undefined, span, told: undefined, failures: 0, shortLooks: 0 }, { kind: 'readHead' }]
}

/**
 * Decides the next step of following a chain that may change its mind. Each step comes back as one event.
 * Pure: no clock, no RPC, no database, so every reorg story is a list of events.
 */
export function nextSync(state: SyncState, event: SyncEvent): [SyncState, SyncStep] {
  switch (event.kind) {
    case 'headRead':
      return onHead({ ...state, head: event.head, cursor: event.cursor }, event.known)
    case 'rangeStored': {
      const told = state.told && state.told.ranges > 1 ? { ...state.told, ranges: state.told.ranges - 1 } : undefined
      const span = Math.min(resize(state, event), told?.blocks ?? Number.POSITIVE_INFINITY)
      return advance({ ...state, cursor: event.last, span, told, failures: 0, shortLooks: 0 })
    }
    case 'forked':
      return [state, { kind: 'rollBack' }]
    case 'rolledBack': {
      // Nothing to take back after a fork: the node contradicts itself, and asking it at once again would spin.
      if (event.cursor?.number === state.cursor?.number) return onFailure(state, { kind: 'failed', reason: 'other' })
      return [{ ...state, cursor: event.cursor, linkedTo: event.repairs, failures: 0, shortLooks: 0 }, { kind: 'readHead' }]
    }
    case 'waited':
      return [state, { kind: 'readHead' }]
    case 'failed':
      return onFailure(state, event)
  }
}

function onHead(state: SyncState, known: 'same' | 'other' | 'none'): [SyncState, SyncStep] {
  const { cursor, head } = state
  if (!cursor || head === undefined || head > cursor.number) return advance({ ...state, shortLooks: 0 })
  if (known === 'other') return [state, { kind: 'rollBack' }]
  if (head === cursor.number) return [{ ...state, shortLooks: 0, failures: 0 }, pause(state)]
  const shortLooks = state.shortLooks + 1
  // A chain that ends earlier and is otherwise the same has lost nothing: its node is behind. Only a test chain was cut.
  if (state.limits.mayRestart && shortLooks > shortLooksMax) return [{ ...state, shortLooks: 0 }, { kind: 'rollBack' }]
  return [{ ...state, shortLooks }, pause(state)]
}

/** Whether the node has ended below the index for so long that it is no moment's lag. */
export function isNodeBehind({ shortLooks }: SyncState): boolean {
  return shortLooks > shortLooksMax
}

/** The next range up to the head, or a pause when there is none. */
function advance(state: SyncState): [SyncState, SyncStep] {
  const { head, cursor, limits } = state
  if (head === undefined) return [state, { kind: 'readHead' }]
  const from = cursor ? cursor.number + 1 : limits.startBlock
  if (from > head) return [state, pause(state)]
  const settled = head - limits.confirmations
  if (from > settled || from <= (state.linkedTo ?? -1)) {
    return [
      state,
      { kind: 'storeRange', from, to: Math.min(head, from + Math.min(state.span, linkedSpanMax) - 1), everyHeader: true },
    ]
  }
  // A range that was doubted comes in small parts: each thing in it that does not fit is looked at by itself.
  const to = state.failures > 0 ? Math.min(settled, from + state.span - 1) : settled
  return [state, { kind: 'storeRange', from, to, everyHeader: false }]
}

/** Ranges grow until they hold as many logs as one transaction should: that bounds memory as well as the node's work. */
function resize({ span, limits, cursor }: SyncState, { last, logs }: Stored): number {
  const blocks = last.number - (cursor?.number ?? limits.startBlock - 1)
  const fitting = logs === 0 ? Number.POSITIVE_INFINITY : Math.floor((blocks * logsWanted) / logs)
  return Math.max(1, Math.min(limits.spanMax, Math.max(span, blocks) * growth, fitting))
}

function onFailure(state: SyncState, event: Failed): [SyncState, SyncStep] {
  if (event.reason === 'range-too-wide' && state.span > 1) {
    const span = narrow(Math.min(state.span, linkedSpanMax), event.blocks)
    const ranges = event.always ? toldRanges.always : toldRanges.once
    return advance({ ...state, span, told: { blocks: span, ranges: Math.min(ranges, span) } })
  }
  // A refusal that was taken for one of the rate, and is not, ends with a narrower range.
  const isOfRate = event.reason === 'rate-limited' && state.failures < rateFailuresMax
  const keepsSpan = isOfRate || event.reason === 'store'
  const span = keepsSpan ? state.span : narrow(state.span)
  const failures = state.failures + 1
  const next = { ...state, failures, span }
  const backoffMs = Math.min(backoffMaxMs[event.reason], backoffFirstMs * 2 ** Math.min(failures - 1, 16))
  return [next, { kind: 'wait', ms: Math.max(backoffMs, event.retryAfterMs ?? 0) }]
}

/** What a node says will do counts where it is less: some offer what was just refused. */
function narrow(span: number, blocks = span): number {
  return blocks < span ? blocks : Math.max(1, Math.floor(span / 2))
}

function pause({ limits }: SyncState): SyncStep {
  return { kind: 'wait', ms: limits.pollMs }
}
