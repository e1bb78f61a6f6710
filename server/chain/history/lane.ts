import type { Failure } from '@chainboard/core'
import { createRangeWidth, type RangeWidth } from './rangeWidth.ts'

/** Ranges of one node under way at a time, at most. */
const depthMax = 8
const depthFirst = 2
/** A node whose calls wait for their turn has enough to do: so many may wait when another range begins. */
const callsWaitingMax = 4
const restFirstMs = 1_000
const restMaxMs = 60_000
/** A node is late when it was silent for four times what its calls usually take, within these bounds. */
const late = { factor: 4, msMin: 2_000, msMax: 4_000 }
/** Share of the newest call in what calls usually take. */
const newestShare = 1 / 8
/** After so many refusals in a row for the rate, ranges are narrowed as well: the words may mean something else. */
const rateFailuresMax = 3

/** What one node has shown of how it reads history. Times are by the clock of the calls. */
export type Lane = {
  readonly width: RangeWidth
  /** When it may be asked again; in the past while it may. */
  restUntilMs(): number
  /** Whether another range may be asked of it now. */
  hasRoom(): boolean
  /** From when on it is late with a range that was begun then: one that answers its calls is not, however many a range needs. */
  lateAtMs(begunAtMs: number): number
  /** Whether it was silent when it was last waited for. */
  isSilent(): boolean
  begin(): void
  /** A range is not under way any more, whatever became of it. */
  end(): void
  /** A call of a range was answered. */
  heard(tookMs: number): void
  /** A range came. */
  answered(range: { readonly blocks: number; readonly logs: number }): void
  /** A range failed, for another reason than its width. */
  failed(failure: Failure): void
  /** Another node was asked later, and answered first. */
  outrun(): void
  /** It gave blocks of another chain or left something out: it is left alone for so long. */
  distrust(ms: number): void
}

/** @param callsWaiting how many calls of the node wait for their turn */
export function createLane(nowMs: () => number, callsWaiting: () => number): Lane {
  const width = createRangeWidth()
  let [underWay, depth, failures, rateFailures] = [0, depthFirst, 0, 0]
  let restUntilMs = Number.NEGATIVE_INFINITY
  let usualMs = 0
  let heardAtMs = Number.NEGATIVE_INFINITY
  let silent = false

  const rest = (ms: number) => {
    restUntilMs = Math.max(restUntilMs, nowMs() + ms)
  }
  const restLonger = (askedMs: number) => {
    rest(Math.max(askedMs, Math.min(restMaxMs, restFirstMs * 2 ** Math.min(failures, 16))))
    failures += 1
  }
  return {
    width,
    restUntilMs: () => restUntilMs,
    hasRoom: () => underWay === 0 || (underWay < Math.floor(depth) && callsWaiting() <= callsWaitingMax),
    lateAtMs: (begunAtMs) => Math.max(begunAtMs, heardAtMs) + Math.min(late.msMax, Math.max(late.msMin, usualMs * late.factor)),
    isSilent: () => silent,
    begin: () => {
      underWay += 1
    },
    end: () => {
      underWay -= 1
    },
    heard: (tookMs) => {
      usualMs = usualMs === 0 ? tookMs : usualMs + (tookMs - usualMs) * newestShare
      heardAtMs = nowMs()
    },
    answered: (range) => {
      depth = Math.min(depthMax, depth + 1 / depth)
      silent = false
      failures = 0
      rateFailures = 0
      width.took(range)
    },
    failed: (failure) => {
      const { retryAfterMs } = failure.detail
      const askedMs = typeof retryAfterMs === 'number' ? retryAfterMs : 0
      // Ranges that were under way together fail together: that is one failure.
      if (restUntilMs > nowMs()) return rest(askedMs)
      const isOfRate = failure.code === 'rpc-rate-limited'
      rateFailures = isOfRate ? rateFailures + 1 : 0
      if (!isOfRate || rateFailures > rateFailuresMax) width.halve()
      depth = Math.max(1, depth / 2)
      restLonger(askedMs)
    },
    outrun: () => {
      silent = true
      depth = 1
      if (restUntilMs <= nowMs()) restLonger(0)
    },
    distrust: (ms) => {
      depth = 1
      rest(ms)
    },
  }
}
