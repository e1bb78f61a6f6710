import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdReload } from './busy.ts'
import { loadAgain, loadPart } from './loadPart.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Code that does not arrive the first `failures` times; and when it was asked for, in milliseconds. */
function stage(failures: number) {
  const beganMs = Date.now()
  const askedMs: number[] = []
  const fetchCode = async () => {
    askedMs.push(Date.now() - beganMs)
    if (askedMs.length <= failures) throw new TypeError('no network')
    return 'code'
  }
  return { askedMs, fetchCode }
}

test('code that does not arrive is asked for again after longer and longer pauses', async () => {
  const { askedMs, fetchCode } = stage(3)
  const loading = loadPart(fetchCode)
  await vi.runAllTimersAsync()
  expect(await loading).toBe('code')
  expect(askedMs).toEqual([0, 300, 1_500, 4_500])
})

test('after four tries it is given up', async () => {
  const { askedMs, fetchCode } = stage(100)
  const loading = loadPart(fetchCode).catch((error: unknown) => String(error))
  await vi.runAllTimersAsync()
  expect(await loading).toBe('TypeError: no network')
  expect(askedMs).toHaveLength(4)
})

/** The page with a server that answers, or with none. */
function openPage(hasServer: boolean) {
  const reload = vi.fn()
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('fetch', async () => {
    if (!hasServer) throw new TypeError('no network')
    return Response.json({ ok: true })
  })
  return reload
}

test('whoever tries again gets the code, or a new page from a server that answers', async () => {
  const reload = openPage(true)
  expect(await loadAgain(stage(0).fetchCode)).toBe(true)
  expect(reload).not.toHaveBeenCalled()
  expect(await loadAgain(stage(1).fetchCode)).toBe(false)
  expect(reload).toHaveBeenCalledOnce()
})

test('without a server, and while a transaction waits, the page stays as it is', async () => {
  const reload = openPage(false)
  expect(await loadAgain(stage(1).fetchCode)).toBe(false)
  const waiting = openPage(true)
  const release = holdReload()
  expect(await loadAgain(stage(1).fetchCode)).toBe(false)
  release()
  expect([reload, waiting].flatMap((each) => each.mock.calls)).toEqual([])
})
