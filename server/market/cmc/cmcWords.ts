/** CoinMarketCap's head of every answer. Its newer services write codes as text. */
export type StatusWords = {
  readonly timestamp: string
  readonly error_code: number | string
  readonly error_message: string | null
  readonly elapsed: number
  readonly credit_count: number
}

/** An answer as CoinMarketCap would word it; errors have no `data`. */
export type CmcWords = { readonly httpStatus: number; readonly body: { readonly status: StatusWords; readonly data?: unknown } }

/** No credits are named: an answer of ours costs none. */
export function sayWell(data: unknown, timestamp: string, errorCode: 0 | '0'): CmcWords {
  const status = { timestamp, error_code: errorCode, error_message: null, elapsed: 0, credit_count: 0 }
  return { httpStatus: 200, body: { status, data } }
}

/** An error in the words that CoinMarketCap's own API has for it. */
export function sayError(httpStatus: number, errorCode: number | string, message: string, nowMs: number): CmcWords {
  const timestamp = new Date(nowMs).toISOString()
  return {
    httpStatus,
    body: { status: { timestamp, error_code: errorCode, error_message: message, elapsed: 0, credit_count: 0 } },
  }
}
