import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@chainboard/core'
import type { Chain, ChainRange, RangeRequest } from '../chain/chain.ts'

/** Ranges that are asked for at the same time. */
const atOnce = 4
const widthFirst = 1_000
/** Logs that one range should hold at most: that bounds memory. */
const logsWanted = 10_000
/** Failures in a row, of any range, after which reading has failed. */
const failuresMax = 8
const backoffFirstMs = 500
const backoffMaxMs = 15_000

export type Span = { readonly from: number; readonly to: number }

export type SpanReading = Omit<RangeRequest, 'from' | 'to' | 'everyHeader'> & {
  readonly widthMax: number
  readonly signal: AbortSignal
  /** Keeps a range; they come in no order. */
  readonly onRange: (span: Span, range: ChainRange) => Promise<void>
}

/**
 * Reads the logs of settled blocks, the newest first, several ranges at once. A range that is too wide is cut.
 * @throws Failure of the node when nothing helps; what came before it was kept
 */
export async function readSpan(
  chain: Pick<Chain, 'readRange'>,
  spans: readonly Span[],
  { widthMax, signal, onRange, ...request }: SpanReading,
): Promise<void> {
  /** What is left, the newest at the end. */
  const left = [...spans]
  let width = Math.min(widthFirst, widthMax)
  /** No wider one is asked for: a node has refused it. */
  let widest = widthMax
  let failures = 0
  const take = (): Span | undefined => {
    const span = left.pop()
    if (!span) return undefined
    const from = Math.max(span.from, span.to - width + 1)
    if (from > span.from) left.push({ from: span.from, to: from - 1 })
    return { from, to: span.to }
  }
  const narrow = ({ from, to }: Span, { detail }: Failure) => {
    const told = typeof detail['blocks'] === 'number' ? detail['blocks'] : Number.POSITIVE_INFINITY
    widest = Math.max(1, Math.min(width, told < to - from + 1 ? told : Math.floor((to - from + 1) / 2)))
    width = widest
  }
  const adapt = (logs: number) => {
    const fitting = logs > logsWanted ? Math.floor((width * logsWanted) / logs) : logs < logsWanted / 4 ? width * 2 : width
    width = Math.max(1, Math.min(widest, fitting))
  }
  const work = async (): Promise<void> => {
    for (let span = take(); span && !signal.aborted; span = take()) {
      try {
        const range = await chain.readRange({ ...request, ...span, everyHeader: false })
        await onRange(span, range)
        failures = 0
        adapt(range.logs.length)
      } catch (error) {
        left.push(span)
        if (!(error instanceof Failure)) throw error
        if (error.code === 'rpc-range-too-wide' && span.to > span.from) narrow(span, error)
        else {
          failures += 1
          if (failures > failuresMax || !error.retryable) throw error
          await sleep(Math.min(backoffMaxMs, backoffFirstMs * 2 ** failures), undefined, { signal }).catch(() => undefined)
        }
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
