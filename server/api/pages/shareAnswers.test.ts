import { expect, test } from 'vitest'
import { shareAnswers } from './shareAnswers.ts'

/** A site that numbers its answers. */
function stage() {
  const state = { nowMs: 0, status: 200, asked: [] as string[] }
  const read = async (path: string) => {
    state.asked.push(path)
    return state.status === 0 ? undefined : { status: state.status, number: state.asked.length }
  }
  const shared = shareAnswers(read, () => state.nowMs)
  shared.begin(1)
  const ask = async (path: string) => (await shared.ask(path))?.number
  return { state, shared, ask }
}

test('pages of one market that ask within a second share an answer, whatever keeps it out of caches', async () => {
  const { state, ask } = stage()
  expect(await Promise.all([ask('/api/config?_=a'), ask('/api/config?_=b'), ask('/api/pools?page=1&_=a')])).toEqual([1, 1, 2])
  state.nowMs = 1_000
  expect(await Promise.all([ask('/api/config?_=c'), ask('/api/pools?page=1&_=c'), ask('/api/pools?page=2&_=c')])).toEqual([
    1, 2, 3,
  ])
  state.nowMs = 1_001
  expect(await ask('/api/config?_=d')).toBe(4)
})

test('another market has answers of its own, also for a page that began in the one before', async () => {
  const { shared, ask } = stage()
  const early = ask('/api/status?_=a')
  shared.begin(2)
  expect(await ask('/api/status?_=b')).toBe(2)
  expect(await early).toBe(1)
  shared.begin(2)
  expect(await ask('/api/status?_=c')).toBe(2)
})

test('what failed is asked for again', async () => {
  const { state, ask } = stage()
  for (const status of [503, 404, 0]) {
    state.status = status
    await ask('/api/status?_=a')
  }
  state.status = 200
  expect(await ask('/api/status?_=b')).toBe(4)
})

test('an answer that does not come fails only the pages that wait for it: the next page asks again', async () => {
  const lost = Promise.withResolvers<undefined>()
  const state = { nowMs: 0, asked: 0 }
  const read = async () => {
    state.asked += 1
    return state.asked === 1 ? lost.promise : { status: 200, number: state.asked }
  }
  const shared = shareAnswers(read, () => state.nowMs)
  shared.begin(1)
  const first = shared.ask('/api/config?_=a')
  state.nowMs = 200
  const second = shared.ask('/api/config?_=b')
  expect(state.asked).toBe(1)
  state.nowMs = 201
  expect((await shared.ask('/api/config?_=c'))?.number).toBe(2)
  lost.resolve(undefined)
  expect(await Promise.all([first, second])).toEqual([undefined, undefined])
  expect((await shared.ask('/api/config?_=d'))?.number).toBe(2)
})

test('a crawler that asks for every token makes it keep no more answers than its limit', async () => {
  const { state, ask } = stage()
  await ask('/api/pools?page=0')
  for (let page = 1; page <= 64; page += 1) await ask(`/api/pools?page=${page}`)
  expect(await ask('/api/pools?page=64')).toBe(65)
  expect(await ask('/api/pools?page=0')).toBe(66)
  expect(state.asked).toHaveLength(66)
})
