import { Failure } from '@chainboard/core'
import type { PriceSource, SourceName, SourceReading } from './source.ts'
import type { ListedToken } from './tokenList.ts'

/** A source, how often it is asked (0: when told to), and about whom; without `tokens`, about the whole list. */
export type AskedSource = {
  readonly source: PriceSource
  readonly intervalMs: () => number
  readonly tokens?: () => readonly ListedToken[]
  readonly retryFirstMs?: (intervalMs: number) => number
  /** Sources whose first readings it waits for, and the chain's; absent: none. */
  readonly after?: readonly SourceName[]
}

/** The clock: `pause` resolves after `ms`, or at once when `signal` is aborted. */
export type SourceClock = { nowMs(): number; pause(ms: number, signal: AbortSignal): Promise<void> }

export type SourceLog = {
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}

/** What is kept of one source. Times are unix milliseconds. */
export type KeptSource = {
  readonly name: SourceName
  /** The last good one; undefined before the first. It outlives failures, not the process. */
  readonly reading: SourceReading | undefined
  readonly readAtMs: number | undefined
  /** How often it is asked at present; 0 for a source that is read after every block. */
  readonly intervalMs: number
  /** Since when, and by what, every reading has failed; undefined when the last one did not. */
  readonly failingSinceMs: number | undefined
  readonly failure: string | undefined
}

export type SourcePoll = {
  kept(): KeptSource
  /** Reads now; with a reading under way, waits for that one. Never throws: what fails is kept in `failure`. */
  refresh(): Promise<void>
  /** Reads at once, or after `after`, and then on the interval until stopped. */
  start(after?: Promise<unknown>): void
  /** Resolves when the first reading has ended, well or not. */
  readonly first: Promise<void>
  stop(): Promise<void>
}

export type PollOptions = {
  readonly clock: SourceClock
  readonly log: SourceLog
  /** Which tokens to ask about, evaluated at every reading. */
  readonly tokens: () => readonly ListedToken[]
  /** Asked after every reading, and remembered until the next; 0 for a source that is told when to read. */
  readonly intervalMs: () => number
  /** The wait after a first failure; it doubles up to the interval. */
  readonly retryFirstMs: (intervalMs: number) => number
  /** After every reading, well or not. */
  readonly onChange: () => void
}

/** Keeps the latest reading of one source. */
export function pollSource(source: PriceSource, options: PollOptions): SourcePoll {
  const { clock, tokens, intervalMs, retryFirstMs, onChange } = options
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  const record: PollRecord = {
    intervalMs: 0,
    kept: undefined,
    failures: 0,
    failingSinceMs: undefined,
    failure: undefined,
    retryAfterMs: undefined,
  }
  let flight: Promise<void> | undefined
  let loop: Promise<void> | undefined

  const readOnce = async () => {
    try {
      const reading = await source.read(tokens())
      noteSuccess(record, reading, source.name, options)
    } catch (error) {
      if (!stopping.signal.aborted) noteFailure(record, error, source.name, options)
    }
    record.intervalMs = intervalMs()
    flight = undefined
    first.resolve()
    if (!stopping.signal.aborted) onChange()
  }
  const refresh = () => {
    flight ??= readOnce()
    return flight
  }
  const run = async (after: Promise<unknown> | undefined) => {
    await after
    while (!stopping.signal.aborted) {
      await refresh()
      await clock.pause(waitMsAfter({ ...record, retryFirstMs: retryFirstMs(record.intervalMs) }), stopping.signal)
    }
  }
  return {
    kept: () => ({
      name: source.name,
      reading: record.kept?.reading,
      readAtMs: record.kept?.readAtMs,
      intervalMs: record.intervalMs,
      failingSinceMs: record.failingSinceMs,
      failure: record.failure,
    }),
    refresh,
    first: first.promise,
    start: (after) => {
      loop ??= run(after)
    },
    stop: async () => {
      stopping.abort()
      // Nobody has to wait for the first reading any longer.
      first.resolve()
      await loop
      await flight
    },
  }
}

type PollRecord = {
  intervalMs: number
  kept: { readonly reading: SourceReading; readonly readAtMs: number } | undefined
  failures: number
  failingSinceMs: number | undefined
  failure: string | undefined
  retryAfterMs: number | undefined
}

/**
 * How long to wait after a reading. Pure. After a failure no longer than the interval, so that a source is back within one
 * refresh, unless the failure itself says how long asking is of no use.
 */
export function waitMsAfter({
  failures,
  retryAfterMs,
  intervalMs,
  retryFirstMs,
}: {
  readonly failures: number
  readonly retryAfterMs: number | undefined
  readonly intervalMs: number
  readonly retryFirstMs: number
}): number {
  if (failures === 0) return intervalMs
  if (retryAfterMs !== undefined) return Math.max(retryAfterMs, retryFirstMs)
  return Math.min(intervalMs, retryFirstMs * 2 ** Math.min(failures - 1, doublingsMax))
}

const doublingsMax = 20

function noteSuccess(record: PollRecord, reading: SourceReading, name: SourceName, { clock, log }: PollOptions): void {
  if (record.failures > 0) log.info({ source: name, failures: record.failures }, 'A price source is responding again')
  Object.assign(record, {
    kept: { reading, readAtMs: clock.nowMs() },
    failures: 0,
    failingSinceMs: undefined,
    failure: undefined,
    retryAfterMs: undefined,
  })
}

/** One line when a source begins to fail and whenever it fails by something else; the rest is in the metrics. */
function noteFailure(record: PollRecord, error: unknown, name: SourceName, { clock, log }: PollOptions): void {
  const known = error instanceof Failure
  const text = known ? error.message : 'The source failed because of a bug'
  const waitMs = known ? error.detail['retryAfterMs'] : undefined
  if (!known) log.error({ source: name, err: error }, text)
  else if (record.failure !== text) log.warn({ source: name, code: error.code }, text)
  record.failures += 1
  record.failingSinceMs ??= clock.nowMs()
  record.failure = text
  record.retryAfterMs = typeof waitMs === 'number' ? waitMs : undefined
}
