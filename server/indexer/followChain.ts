import { Failure } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { findBlock } from '../store/blocks.ts'
import { emptyIndex } from '../store/emptyIndex.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, findCursor, setCursor } from '../store/syncCursor.ts'
import { isLinked } from './checkLinks.ts'
import { indexedTopics } from './decodeLog.ts'
import { rewind } from './rewind.ts'
import { type IndexScope, storeRange, type WorldHolder } from './storeRange.ts'
import { nextSync, type SyncEvent, type SyncLimits, type SyncState, type SyncStep, startSync } from './syncMachine.ts'

const identifyBackoffMaxMs = 5_000

export type FollowDeps = {
  readonly chain: Chain
  readonly store: Store
  readonly limits: SyncLimits
  readonly scope: IndexScope
  readonly chainId: number
  readonly log: FollowLog
  /** The clock: resolves after `ms`, or at once when `signal` is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** After every change of the index, and when it first turns out to be complete. */
  readonly onChange: (change: IndexChange) => void
}

/** `caughtUp`: it holds the newest block seen. `rewound`: it was taken back to `cursor`, the chain has left what came after. */
export type IndexChange = { readonly caughtUp: boolean; readonly cursor: BlockRef | undefined; readonly rewound: boolean }

export type FollowLog = {
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
}

/** How the index stands to the chain. Times are unix milliseconds. */
export type FollowStatus = {
  readonly cursor: BlockRef | undefined
  /** Highest block seen; undefined before the first contact. */
  readonly head: number | undefined
  /** Last successful look at the chain since the start. */
  readonly contactAtMs: number | undefined
  /** Why the last step failed; undefined when it did not. */
  readonly trouble: string | undefined
  /** Whether the index has held the newest block at least once since the start. */
  readonly complete: boolean
}

export type Follower = { status(): FollowStatus /** Resolves when the running step has ended. */; stop(): Promise<void> }

/** Follows the chain into the index until stopped. Failures of the node are retried for ever; anything else ends in `onBug`. */
export function followChain(deps: FollowDeps, onBug: (error: unknown) => void): Follower {
  const stopping = new AbortController()
  const status: Writable<FollowStatus> = {
    cursor: undefined,
    head: undefined,
    contactAtMs: undefined,
    trouble: undefined,
    complete: false,
  }
  const done = run(deps, status, stopping.signal).catch(onBug)
  return {
    status: () => status,
    stop: () => {
      stopping.abort()
      return done
    },
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

async function run(deps: FollowDeps, status: Writable<FollowStatus>, signal: AbortSignal): Promise<void> {
  status.cursor = (await findCursor(deps.store.read))?.block
  const identity = await identify(deps, status, signal)
  if (identity === undefined) return
  status.cursor = await adoptIndex(deps, identity)
  let [state, step] = startSync(deps.limits, status.cursor)
  const holder: WorldHolder = { world: undefined }
  while (!signal.aborted) {
    const event = await perform({ ...deps, identity, signal, holder }, state, step).catch((error) => toFailed(error))
    report(deps, status, state, event)
    ;[state, step] = nextSync(state, event)
    status.cursor = state.cursor
    status.head = state.head ?? status.head
  }
}

/** Asks which chain this is until there is an answer. `undefined`: stopped before. */
async function identify(deps: FollowDeps, status: Writable<FollowStatus>, signal: AbortSignal): Promise<string | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const [chainId, genesis] = [await deps.chain.readChainId(), await deps.chain.readHeader(0)]
      if (chainId !== deps.chainId) {
        throw new Failure('rpc-unavailable', `The node is on chain ${chainId}, the network file wants ${deps.chainId}`, {
          retryable: true,
        })
      }
      return toIdentity(deps, chainId, genesis?.hash)
    } catch (error) {
      const event = toFailed(error)
      report(deps, status, undefined, event)
      await deps.pause(Math.min(identifyBackoffMaxMs, 250 * 2 ** Math.min(failures, 16)), signal)
    }
  }
  return undefined
}

/** Everything that the rows of an index hang on: chain, exchange, scope, and how events are valued. */
function toIdentity({ scope, limits }: FollowDeps, chainId: number, genesis: string | undefined): string {
  const { factory, onlyTokens, valuation } = scope
  const pools = onlyTokens ? [...onlyTokens].sort().join() : 'all'
  const dollars = [valuation.stables.join('+'), valuation.wrappedNative, valuation.depthFloorUsdE18].join('/')
  return [chainId, genesis ?? 'no-genesis', factory, limits.startBlock, pools, dollars].join(':')
}

/** Goes on with the stored index if it was made from this chain and scope, else starts over. */
async function adoptIndex({ store, log }: FollowDeps, identity: string): Promise<BlockRef | undefined> {
  const stored = await findCursor(store.read)
  if (stored?.identity === identity) return stored.block
  if (stored)
    log.warn({ stored: stored.identity, found: identity }, 'The stored index is of another chain or scope: starting over')
  await store.write(async (tx) => {
    await emptyIndex(tx)
    await setCursor(tx, { identity, block: undefined })
  })
  return undefined
}

type PerformDeps = FollowDeps & { readonly identity: string; readonly signal: AbortSignal; readonly holder: WorldHolder }

async function perform(deps: PerformDeps, { cursor }: SyncState, step: SyncStep): Promise<SyncEvent> {
  switch (step.kind) {
    case 'readHead': {
      const head = await deps.chain.readHead()
      const stored = await findBlock(deps.store.read, head.number)
      return { kind: 'headRead', head: head.number, known: stored ? (stored.hash === head.hash ? 'same' : 'other') : 'none' }
    }
    case 'storeRange': {
      const range = await deps.chain.readRange({
        from: step.from,
        to: step.to,
        everyHeader: step.everyHeader,
        topics: indexedTopics,
      })
      if (!isLinked(range, cursor)) return { kind: 'forked' }
      return { kind: 'rangeStored', last: await storeRange(deps, range), logs: range.logs.length }
    }
    case 'rewind':
      return { kind: 'rewound', cursor: await rewind(deps) }
    case 'wait':
      await deps.pause(step.ms, deps.signal)
      return { kind: 'waited' }
  }
}

type Failed = SyncEvent & { kind: 'failed' } & { readonly trouble: string; readonly cause: unknown }

/** Failures of the node become events; what is thrown otherwise is a bug or a broken store, and ends the run. */
function toFailed(error: unknown): Failed {
  if (!(error instanceof Failure)) throw error
  const reason =
    error.code === 'rpc-range-too-wide' ? 'range-too-wide' : error.code === 'rpc-rate-limited' ? 'rate-limited' : 'other'
  const retryAfterMs = error.detail['retryAfterMs']
  return {
    kind: 'failed',
    reason,
    trouble: error.message,
    cause: error.cause,
    ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}),
  }
}

function report(deps: FollowDeps, status: Writable<FollowStatus>, state: SyncState | undefined, event: SyncEvent): void {
  if (event.kind === 'waited') return
  if (event.kind === 'failed') {
    const { trouble, cause } = event as Failed
    if (trouble !== status.trouble)
      deps.log.warn({ reason: event.reason, block: state?.cursor?.number, cause: oneLine(cause) }, trouble)
    status.trouble = trouble
    return
  }
  if (status.trouble !== undefined) deps.log.info({ block: state?.cursor?.number }, 'The node answers again')
  status.trouble = undefined
  status.contactAtMs = Date.now()
  const cursor = event.kind === 'rangeStored' ? event.last : event.kind === 'headRead' ? state?.cursor : undefined
  const head = event.kind === 'headRead' ? event.head : (status.head ?? 0)
  const caughtUp = cursor !== undefined && cursor.number >= head
  if (event.kind === 'rangeStored' || (caughtUp && !status.complete)) deps.onChange({ caughtUp, cursor, rewound: false })
  status.complete ||= caughtUp
  if (event.kind === 'rewound') {
    deps.log.warn({ from: state?.cursor?.number, to: event.cursor?.number }, 'The chain changed its mind: index taken back')
    deps.onChange({ caughtUp: true, cursor: event.cursor, rewound: true })
  }
}

const causeLengthMax = 300

/** A library's error without its stack, and without URLs: they may hold an operator's key. */
function oneLine(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined
  return cause.message
    .replaceAll(/https?:\/\/\S+/g, '<url>')
    .replaceAll(/\s+/g, ' ')
    .slice(0, causeLengthMax)
}
