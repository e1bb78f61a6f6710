import { expect, it } from 'vitest'
import type { PostOutcome } from '../chain/postJson.ts'
import { postWithRetry } from './postWithRetry.ts'

const toJson = (value: unknown): PostOutcome => ({ kind: 'json', value, tookMs: 1, headers: new Headers() })
const answered = toJson({ result: '0x1' })

/** What comes of a call to a node that gives these outcomes in turn, and how often it waited. */
async function callOf(...outcomes: PostOutcome[]) {
  const waits: number[] = []
  const request = { url: 'http://node.example', body: {}, timeoutMs: 1_000 }
  const post = async () => outcomes.shift() as PostOutcome
  const outcome = await postWithRetry(request, { post, pause: async (ms: number) => void waits.push(ms) })
  return { outcome, waits }
}

it('a call that is refused for its rate is made once more, a second later', async () => {
  const limit = toJson({ error: { code: -32_005, message: 'rate limit exceeded' } })
  expect(await callOf(limit, answered)).toEqual({ outcome: answered, waits: [1_000] })
  expect(await callOf({ kind: 'status', status: 429 }, answered)).toEqual({ outcome: answered, waits: [1_000] })
  expect(await callOf(limit, limit, answered)).toEqual({ outcome: limit, waits: [1_000] })
})

it('any other outcome is that of the first call', async () => {
  for (const outcome of [
    answered,
    toJson(null),
    toJson({ error: { code: -32_601, message: 'no such method' } }),
    { kind: 'status', status: 401 } as const,
    { kind: 'unreachable', why: 'ECONNREFUSED' } as const,
  ])
    expect(await callOf(outcome)).toEqual({ outcome, waits: [] })
})
