import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem'
import { describe, expect, it } from 'vitest'
import { toFailure } from './toFailure.ts'

const said = (code: number, message: string) => new RpcRequestError({ body: {}, url: 'http://node', error: { code, message } })

describe('what a node says when it refuses', () => {
  // Texts as public providers answer them.
  it.each([
    [-32_005, 'query returned more than 10000 results', 'rpc-range-too-wide'],
    [-32_602, 'eth_getLogs is limited to a 10,000 range', 'rpc-range-too-wide'],
    [-32_000, 'block range is too wide', 'rpc-range-too-wide'],
    [-32_000, 'exceed maximum block range: 5000', 'rpc-range-too-wide'],
    [-32_005, 'range 1000000 exceeds limit of 10000', 'rpc-range-too-wide'],
    [-32_602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range', 'rpc-range-too-wide'],
    [-32_614, 'eth_getLogs and eth_newFilter are limited to a 10,000 blocks range', 'rpc-range-too-wide'],
    [-32_005, 'daily request count exceeded, request rate limited', 'rpc-rate-limited'],
    [429, 'Your app has exceeded its compute units per second capacity', 'rpc-rate-limited'],
    [-32_029, 'Too Many Requests', 'rpc-rate-limited'],
    [-32_601, 'the method eth_foo does not exist/is not available', 'rpc-refused'],
  ])('%i %s', (code, message, expected) => {
    expect(toFailure(said(code, message))).toMatchObject({ code: expected, retryable: true })
  })

  // A stranger's contract may revert with any words, and a stranger's answer may be of any size.
  it.each([
    'execution reverted: block range is too wide',
    'execution reverted: daily request count exceeded, request rate limited',
  ])('takes the words of a contract for nothing but a refusal: %s', (words) => {
    expect(toFailure(said(3, words))).toMatchObject({ code: 'rpc-refused', message: words })
  })

  it('takes too long an answer for too wide a range only where a range was asked for', () => {
    const tooLong = new ResponseBodyTooLargeError({ maxSize: 1_000, size: 2_000 })
    expect(toFailure(tooLong)).toMatchObject({
      code: 'rpc-range-too-wide',
      message: "The node's response is too large: over 1000 bytes",
      retryable: true,
    })
    expect(toFailure(tooLong, { ofRange: false })).toMatchObject({
      code: 'rpc-refused',
      message: 'The response is over 1000 bytes',
      retryable: false,
      detail: { code: -32_005 },
    })
    expect(toFailure(said(-32_000, 'block range is too wide'), { ofRange: false })).toMatchObject({ code: 'rpc-refused' })
  })

  it('takes a time-out for too wide a range only where a range was asked for', () => {
    const late = said(30, 'Request timeout on the free tier, please upgrade your tier to the paid one')
    expect(toFailure(late)).toMatchObject({ code: 'rpc-range-too-wide' })
    expect(toFailure(late, { ofRange: false })).toMatchObject({ code: 'rpc-refused', retryable: true })
    const gateway = new HttpRequestError({ url: 'http://node', status: 504, details: 'gateway timeout' })
    expect(toFailure(gateway, { ofRange: false })).toMatchObject({ code: 'rpc-unavailable', retryable: true })
  })

  it('learns how long to wait', () => {
    const headers = new Headers({ 'retry-after': '7' })
    const error = new HttpRequestError({ url: 'http://node', status: 429, headers })
    expect(toFailure(error)).toMatchObject({ code: 'rpc-rate-limited', detail: { retryAfterMs: 7_000 } })
  })

  it.each(['999999999', '9'.repeat(400)])('waits no longer than five minutes for a node that asks for %s s', (header) => {
    const headers = new Headers({ 'retry-after': header })
    const error = new HttpRequestError({ url: 'http://node', status: 429, headers })
    expect(toFailure(error)).toMatchObject({ code: 'rpc-rate-limited', detail: { retryAfterMs: 300_000 } })
  })

  it.each(['-5', 'soon', ''])('does not wait for what is no time: "%s"', (header) => {
    const headers = new Headers({ 'retry-after': header })
    expect(toFailure(new HttpRequestError({ url: 'http://node', status: 429, headers })).detail).toEqual({
      refusal: 'rate-limit',
    })
  })

  it('is reported without the key and the URL that its words quote', () => {
    const key = 'c0ffee00c0ffee00c0ffee00c0ffee00'
    const refused = toFailure(said(-32_000, `project ${key} is not known, see https://node.example/v3/${key} for eth_call`))
    expect(refused).toMatchObject({ code: 'rpc-refused', message: 'project … is not known, see … for eth_call' })
    const tooWide = toFailure(said(-32_000, `block range is too wide for ${key}`))
    expect(tooWide).toMatchObject({ code: 'rpc-range-too-wide', detail: { said: 'block range is too wide for …' } })
  })

  it('repeats a thousand characters of what the node said at most', () => {
    expect(toFailure(said(-32_000, 'so '.repeat(1_000_000))).message).toHaveLength(1_000)
  })

  it('is shown with the long words of a contract that says no', () => {
    const words = 'execution reverted: UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT'
    expect(toFailure(said(3, words)).message).toBe(words)
  })

  it('tells silence from a dead line', () => {
    expect(toFailure(new TimeoutError({ body: {}, url: 'http://node' })).message).toBe('The node did not respond in time')
    expect(toFailure(new HttpRequestError({ url: 'http://node', status: 502 })).message).toBe('The node is not responding')
  })

  it('never repeats the URL of the node, which may hold a key', () => {
    const failure = toFailure(new HttpRequestError({ url: 'http://node/secret-key', status: 500, details: 'boom' }))
    expect(`${failure.message} ${JSON.stringify(failure.detail)}`).not.toContain('secret-key')
  })
})
