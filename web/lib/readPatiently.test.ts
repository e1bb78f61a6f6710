import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readPatiently } from './readPatiently.ts'

const never = new AbortController().signal
/** What the server says to each call, first to last. */
let answers: Response[]
let asked: number
const busy = (retryAfter?: string) =>
  Response.json({ error: 'Slow down' }, { status: 429, headers: retryAfter ? { 'retry-after': retryAfter } : {} })

beforeEach(() => {
  vi.useFakeTimers()
  answers = []
  asked = 0
  vi.stubGlobal('fetch', async () => {
    asked += 1
    return answers.shift() ?? Response.json({ ok: true })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('what the server puts off is asked for again when it said, and not before', async () => {
  answers = [busy('20')]
  const reading = readPatiently('/x', never)
  await vi.advanceTimersByTimeAsync(19_999)
  expect(asked).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await reading).toEqual({ ok: true })
  expect(asked).toBe(2)
})

test('a minute is the longest wait', async () => {
  answers = [busy('86400')]
  const reading = readPatiently('/x', never)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await reading).toEqual({ ok: true })
})

test('it fails when it is put off twice, and at once when nothing is said of when', async () => {
  answers = [busy('1'), busy('1')]
  const twice = expect(readPatiently('/x', never)).rejects.toMatchObject({ status: 429 })
  await vi.advanceTimersByTimeAsync(1_000)
  await twice
  answers = [busy()]
  await expect(readPatiently('/x', never)).rejects.toMatchObject({ status: 429 })
  expect(asked).toBe(3)
})

test('those that wait take nobody their turn', async () => {
  answers = [1, 2, 3, 4].map(() => busy('30'))
  const waiting = [1, 2, 3, 4].map(() => readPatiently('/x', never))
  await vi.advanceTimersByTimeAsync(0)
  expect(await readPatiently('/y', never)).toEqual({ ok: true })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await Promise.all(waiting)).toHaveLength(4)
})

test('who has given up waits no longer', async () => {
  answers = [busy('30')]
  const asking = new AbortController()
  const reading = expect(readPatiently('/x', asking.signal)).rejects.toThrow('left')
  await vi.advanceTimersByTimeAsync(10)
  asking.abort(new Error('left'))
  await reading
  expect(vi.getTimerCount()).toBe(0)
})
