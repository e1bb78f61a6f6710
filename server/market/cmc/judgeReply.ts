import { Failure, type FailureCode } from '@chainboard/core'
import { parseRetryAfter } from '../parseRetryAfter.ts'
import { startOfNextDayMs, startOfNextMonthMs } from './creditBudget.ts'

/** What came back, as far as it tells whether the call went well. `errorCode`: undefined where the body has no status. */
export type CmcReply = {
  readonly httpStatus: number
  readonly retryAfter: string | null
  readonly errorCode: number | undefined
  readonly errorMessage: string | undefined
}

const minuteMs = 60_000
/** For what only the operator or CoinMarketCap can mend: asked again seldom, so that mending it is noticed. */
const refusedRetryMs = 3_600_000
const messageLengthMax = 200

/**
 * What a reply means. Pure. CoinMarketCap says it twice, and either may be the only one: HTTP 200 with a code that is not 0
 * carries no data, and a gateway's 500 no code.
 * @returns undefined for a reply whose data may be used, else a Failure; `detail.retryAfterMs`, where there is one, says when
 *   asking again may help
 */
export function judgeReply(reply: CmcReply, nowMs: number): Failure | undefined {
  const { httpStatus, errorCode = httpStatus === 200 ? 0 : httpStatus } = reply
  if (httpStatus === 200 && errorCode === 0) return undefined
  const { code, retryAfterMs } = classify(reply, errorCode === 0 ? httpStatus : errorCode, nowMs)
  const said = reply.errorMessage ?? ''
  const shown = said.slice(0, messageLengthMax)
  return new Failure(code, `CoinMarketCap returned ${httpStatus}${describe(errorCode, httpStatus)}${shown && `: ${shown}`}`, {
    detail: { httpStatus, errorCode, said, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    retryable: code !== 'upstream-refused',
  })
}

type Verdict = { readonly code: FailureCode; readonly retryAfterMs: number | undefined }

function classify({ httpStatus, retryAfter }: CmcReply, errorCode: number, nowMs: number): Verdict {
  const asked = parseRetryAfter(retryAfter, nowMs)
  if (errorCode === 1009)
    return { code: 'upstream-budget-spent', retryAfterMs: Math.max(asked ?? 0, startOfNextDayMs(nowMs) - nowMs) }
  if (errorCode === 1010)
    return { code: 'upstream-budget-spent', retryAfterMs: Math.max(asked ?? 0, startOfNextMonthMs(nowMs) - nowMs) }
  if (errorCode === 1008 || errorCode === 1011 || httpStatus === 429)
    return { code: 'upstream-rate-limited', retryAfterMs: asked ?? minuteMs }
  if (httpStatus >= 500 || errorCode === 500) return { code: 'upstream-unavailable', retryAfterMs: asked }
  return { code: 'upstream-refused', retryAfterMs: asked ?? refusedRetryMs }
}

function describe(errorCode: number, httpStatus: number): string {
  return errorCode === 0 || errorCode === httpStatus ? '' : ` (code ${errorCode})`
}

/** Slugs that a message of CoinMarketCap names as unknown: `Invalid value for "slug": "xyz"`. */
export function slugsRefused(message: string): string[] {
  const match = /invalid values? for "slug": "([^"]*)"/i.exec(message)
  return (match?.[1] ?? '')
    .split(',')
    .map((slug) => slug.trim())
    .filter(Boolean)
}
