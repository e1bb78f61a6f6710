import { describe, expect, it } from 'vitest'
import { type CmcReply, judgeReply, slugsRefused } from './judgeReply.ts'

const nowMs = Date.parse('2026-11-20T22:00:00Z')
const hourMs = 3_600_000

const judge = (reply: Partial<CmcReply>) => {
  const failure = judgeReply({ httpStatus: 200, retryAfter: null, errorCode: 0, errorMessage: undefined, ...reply }, nowMs)
  return failure && { code: failure.code, retryAfterMs: failure.detail['retryAfterMs'], message: failure.message }
}

describe('a reply of CoinMarketCap', () => {
  it('is good with HTTP 200 and code 0, or no code at all', () => {
    expect(judge({})).toBeUndefined()
    expect(judge({ errorCode: undefined })).toBeUndefined()
  })

  it.each([
    ['an invalid key', { httpStatus: 401, errorCode: 1001 }, 'upstream-refused', hourMs],
    ['a missing key', { httpStatus: 401, errorCode: 1002 }, 'upstream-refused', hourMs],
    ['a plan that is not paid', { httpStatus: 402, errorCode: 1003 }, 'upstream-refused', hourMs],
    ['a plan without the endpoint', { httpStatus: 403, errorCode: 1006 }, 'upstream-refused', hourMs],
    ['an endpoint that breaks for a plan without it', { httpStatus: 500, errorCode: 500 }, 'upstream-unavailable', undefined],
    ['a gateway without a code', { httpStatus: 502, errorCode: undefined }, 'upstream-unavailable', undefined],
    ['a network without support', { httpStatus: 400, errorCode: 400 }, 'upstream-refused', hourMs],
    ['a URL that is too long', { httpStatus: 414, errorCode: undefined }, 'upstream-refused', hourMs],
    ['the limit of the minute', { httpStatus: 429, errorCode: 1008 }, 'upstream-rate-limited', 60_000],
    ['the limit of the day', { httpStatus: 429, errorCode: 1009 }, 'upstream-budget-spent', 2 * hourMs],
    ['the limit of the month', { httpStatus: 429, errorCode: 1010 }, 'upstream-budget-spent', (10 * 24 + 2) * hourMs],
    ['the limit of the address', { httpStatus: 429, errorCode: 1011 }, 'upstream-rate-limited', 60_000],
    ['a limit without a code', { httpStatus: 429, errorCode: undefined, retryAfter: '7' }, 'upstream-rate-limited', 7_000],
    ['a code in spite of HTTP 200', { httpStatus: 200, errorCode: 1008 }, 'upstream-rate-limited', 60_000],
    ['code 500 in spite of HTTP 200', { httpStatus: 200, errorCode: 500 }, 'upstream-unavailable', undefined],
    ['HTTP 400 in spite of code 0', { httpStatus: 400, errorCode: 0 }, 'upstream-refused', hourMs],
  ] as const)('says %s', (_, reply, code, retryAfterMs) => expect(judge(reply)).toMatchObject({ code, retryAfterMs }))

  it('is waited for as long as it asks, in seconds or by the clock, for a day at most', () => {
    expect(judge({ httpStatus: 429, errorCode: 1008, retryAfter: '120' })?.retryAfterMs).toBe(120_000)
    expect(judge({ httpStatus: 503, errorCode: undefined, retryAfter: 'Fri, 20 Nov 2026 22:01:30 GMT' })?.retryAfterMs).toBe(
      90_000,
    )
    expect(judge({ httpStatus: 429, errorCode: 1008, retryAfter: '99999999' })?.retryAfterMs).toBe(24 * hourMs)
    expect(judge({ httpStatus: 429, errorCode: 1010, retryAfter: '5' })?.retryAfterMs).toBe((10 * 24 + 2) * hourMs)
  })

  it('is reported in its own words, cut to a readable length', () => {
    expect(judge({ httpStatus: 403, errorCode: 1006, errorMessage: "Your plan doesn't support this endpoint." })?.message).toBe(
      "CoinMarketCap returned 403 (code 1006): Your plan doesn't support this endpoint.",
    )
    expect(judge({ httpStatus: 400, errorCode: 400, errorMessage: 'x'.repeat(5_000) })?.message.length).toBeLessThan(250)
  })
})

it('knows which slugs a message names', () => {
  expect(slugsRefused('Invalid value for "slug": "xyz"')).toEqual(['xyz'])
  expect(slugsRefused('Invalid values for "slug": "xyz,no-coin"')).toEqual(['xyz', 'no-coin'])
  expect(slugsRefused('Invalid value for "id": "7"')).toEqual([])
  expect(slugsRefused('network is not supported')).toEqual([])
})
