import { repeatTurns } from '@chainboard/core'
import { findFirstRevaluable } from '../store/keptSince.ts'
import { describeOldDollars, listOldDollars } from '../store/oldDollars.ts'
import { findNewestSpan, type NewestSpan, type RevalueDeps, type Revalued, revalueHour, revalueNewestHour } from './revalue.ts'

/** How often the server looks whether blocks are to be valued again. */
const lookEveryMs = 1_000
const retryMs = 5_000
/** Between two hours the server rests for as long as the last one took, so that following the chain has half of the time, and so long at least. */
const restMsMin = 5

export type KeepRevaluingDeps = RevalueDeps & {
  readonly log: Record<'info' | 'warn' | 'error', (facts: object, text: string) => void>
  readonly nowMs: () => number
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** After the last hour: totals and sums are other ones now. */
  readonly onDone: () => void
}

/** Values blocks again when `npm run revalue` or an added token asks for it, an hour of the chain at a time, while the server follows and serves. */
export function keepRevaluing(deps: KeepRevaluingDeps): { stop(): Promise<void> } {
  const { log, nowMs, pause } = deps
  let isWorking = false
  let isReported = false
  /** What is left of the newest hours, which come before their turn. */
  let newest: NewestSpan | undefined

  /** The newest hours first where added tokens wait for them, then all from the oldest on. */
  const next = async (): Promise<Revalued | undefined> => {
    newest = await findNewestSpan(deps, newest)
    newest &&= await revalueNewestHour(deps, newest)
    return newest ?? revalueHour(deps)
  }
  const turn = async (): Promise<number> => {
    if (!isReported) {
      const { read } = deps.store
      const old = describeOldDollars(await listOldDollars(read), await findFirstRevaluable(read))
      if (old) log.warn({}, old)
      isReported = true
    }
    const startedAtMs = nowMs()
    const isAsked = (await listOldDollars(deps.store.read)).some(({ method }) => method === undefined)
    if (!isAsked) newest = undefined
    const left = isAsked ? await next() : undefined
    if (left && !isWorking) log.info({ from: left.next, to: left.last }, 'Revaluing blocks')
    if (!left && isWorking) log.info({}, 'All blocks are revalued')
    if (!left && (isAsked || isWorking)) deps.onDone()
    isWorking = left !== undefined
    // A token waits for the newest hours, which are few.
    if (newest) return restMsMin
    return left ? Math.max(restMsMin, nowMs() - startedAtMs) : lookEveryMs
  }
  return repeatTurns(turn, {
    ...{ nowMs, pause, log, retryMs },
    texts: {
      failure: 'Blocks cannot be revalued; the server retries every 5 s',
      bug: 'Revaluing blocks failed because of a bug and restarts',
    },
  })
}
