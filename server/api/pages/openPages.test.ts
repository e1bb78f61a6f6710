import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openPages, pageLimits } from './openPages.ts'
import type { PackedPage } from './pageThread.ts'

const shell = '<script src="/assets/a.js"></script>'
const page = (text: string): PackedPage => ({ packed: Buffer.from(text), tag: text, styleHash: undefined })

/** A thread that draws when the test says so. */
function stage(limits: Parameters<typeof openPages>[0]['limits'] = {}) {
  const state = {
    market: {},
    nowMs: 0,
    threads: 0,
    asked: [] as { path: string; market: number; done: (page: PackedPage) => void; fail: () => void }[],
  }
  const told: string[] = []
  const pages = openPages({
    openThread: () => {
      state.threads += 1
      return {
        draw: ({ path, market }) =>
          new Promise((done, reject) => state.asked.push({ path, market, done, fail: () => reject(new TypeError(path)) })),
        close: async () => undefined,
      }
    },
    market: () => state.market,
    nowMs: () => state.nowMs,
    onOutcome: (outcome) => told.push(outcome),
    log: { error: (_, text) => told.push(text), info: (text) => told.push(text) },
    limits: { waitMsMax: 20, ...limits },
  })
  const find = (path = '/') => pages.find({ path, shell })
  /** Lets what has been decided happen. */
  const draw = async (text: string) => {
    const wanted = find()
    state.asked.at(-1)?.done(page(text))
    return (await wanted)?.tag
  }
  return { state, told, find, draw, pages }
}

test('a page is drawn once for everybody who asks within a market', async () => {
  const { state, find } = stage()
  const all = Promise.all([find(), find(), find()])
  expect(state.asked).toHaveLength(1)
  state.asked[0]?.done(page('one'))
  expect((await all).map((found) => found?.tag)).toEqual(['one', 'one', 'one'])
  expect((await find())?.tag).toBe('one')
  expect(state.asked).toHaveLength(1)
})

test('another market is another page', async () => {
  const { state, draw } = stage()
  expect(await draw('one')).toBe('one')
  state.market = {}
  expect(await draw('two')).toBe('two')
  state.nowMs = pageLimits.sameMsMax + 1
  expect(await draw('three')).toBe('three')
  // The thread tells them apart by their numbers.
  expect(state.asked.map(({ market }) => market)).toEqual([1, 2, 2])
})

test('a page tells ages, so that it is drawn again in a market that does not move', async () => {
  const { state, draw } = stage()
  await draw('one')
  state.nowMs = pageLimits.sameMsMax + 1
  expect(await draw('two')).toBe('two')
})

test('who waits too long gets the last page as long as that is new, and then the page without', async () => {
  const { state, find, draw, told } = stage()
  await draw('one')
  state.market = {}
  expect((await find())?.tag).toBe('one')
  state.nowMs = pageLimits.oldMsMax + 1
  expect(await find()).toBeUndefined()
  expect(told).toEqual(['drawn', 'late', 'late'])
})

test('a page that fails is told once, and pauses without keeping others from their turn', async () => {
  const { state, find, draw, told } = stage()
  for (const nowMs of [0, 1_000]) {
    state.nowMs = nowMs
    const failing = find('/?q=bad')
    state.asked.at(-1)?.fail()
    expect(await failing).toBeUndefined()
  }
  expect(told).toEqual(['A page was not rendered on the server: browsers render it', 'failed', 'failed'])
  state.nowMs = 2_999
  expect(await find('/?q=bad')).toBeUndefined()
  expect(state.asked).toHaveLength(2)
  expect(await draw('home')).toBe('home')
  expect(told.slice(3)).toEqual(['Pages are rendered on the server again', 'drawn'])
})

test('when nothing succeeds any more, everything pauses', async () => {
  const { state, find } = stage()
  for (const path of ['/?q=1', '/?q=2', '/?q=3', '/?q=4', '/?q=5']) {
    const failing = find(path)
    state.asked.at(-1)?.fail()
    await failing
  }
  expect(await find()).toBeUndefined()
  expect(state.asked).toHaveLength(5)
})

test('pages that fail together, because their thread ends, are one failure to all others', async () => {
  const { state, find } = stage()
  const paths = ['/?q=1', '/?q=2', '/?q=3', '/?q=4', '/?q=5', '/?q=6']
  const waiting = Promise.all(paths.map((path) => find(path)))
  state.nowMs = 1
  for (const { fail } of state.asked) fail()
  await waiting
  const home = find()
  expect(state.asked.at(-1)?.path).toBe('/')
  state.asked.at(-1)?.done(page('home'))
  expect((await home)?.tag).toBe('home')
})

test("strangers' searches are refused beyond their share, the home page is not", async () => {
  const { state, find, told } = stage({ underWayMax: 100 })
  await Promise.all(Array.from({ length: 12 }, (_, index) => find(`/?q=${index}`)))
  expect(state.asked).toHaveLength(10)
  expect(told.filter((outcome) => outcome === 'refused')).toHaveLength(2)
  const home = find()
  state.asked.at(-1)?.done(page('home'))
  expect((await home)?.tag).toBe('home')
})

test('pages keep to their memory, and those asked for last stay', async () => {
  const { state, find } = stage({ bytesMax: 2_500 })
  for (const path of ['/?q=1', '/?q=2', '/?q=1', '/?q=3']) {
    const found = find(path)
    state.asked.at(-1)?.done(page(path.padEnd(1_000)))
    await found
  }
  expect(state.asked.map(({ path }) => path)).toEqual(['/?q=1', '/?q=2', '/?q=3'])
  await Promise.all([find('/?q=1'), find('/?q=2')])
  expect(state.asked.map(({ path }) => path)).toEqual(['/?q=1', '/?q=2', '/?q=3', '/?q=2'])
})

test('another build has a thread of its own', async () => {
  const { state, draw, pages } = stage()
  await draw('one')
  const other = pages.find({ path: '/', shell: '<script src="/assets/b.js"></script>' })
  state.asked.at(-1)?.done(page('two'))
  expect((await other)?.tag).toBe('two')
  expect(state.threads).toBe(2)
})

test('a page that is kept keeps no market of the past in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { state, draw, find } = stage()
  await draw('one')
  const past = new WeakRef(state.market)
  state.market = {}
  // A reference that was looked at is held until the end of its turn.
  await new Promise((turn) => setImmediate(turn))
  collect()
  expect(past.deref()).toBeUndefined()
  expect((await find())?.tag).toBe('one')
})

test("the home page has a place of its own beside strangers' pages that take long", async () => {
  const { state, find } = stage({ underWayMax: 2 })
  const others = Promise.all(['/pools', '/swaps', '/?q=1'].map((path) => find(path)))
  const home = find()
  expect(state.asked.map(({ path }) => path)).toEqual(['/pools', '/swaps', '/'])
  for (const { path, done } of state.asked) done(page(path))
  await others
  expect((await home)?.tag).toBe('/')
})
