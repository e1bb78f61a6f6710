import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { holdReload, isReloadHeld } from '../lib/busy.ts'
import { keepFresh } from './keepFresh.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openPage() {
  const page = { busy: false, acting: false, server: true, asked: 0, reloads: 0, restore: () => {} }
  keepFresh({
    isBusy: (why) => page.busy || isReloadHeld() || (page.acting && why === 'old'),
    isServerThere: async () => {
      page.asked += 1
      return page.server
    },
    reload: () => {
      page.reloads += 1
    },
    onRestored: (restored) => {
      page.restore = restored
    },
  })
  return page
}

describe('the page keeps itself fresh', () => {
  it('reloads after five minutes, not before', async () => {
    const page = openPage()
    await vi.advanceTimersByTimeAsync(299_999)
    expect(page.reloads).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(page.reloads).toBe(1)
  })

  it('waits while somebody is in the middle of something, and looks again every five seconds', async () => {
    const page = openPage()
    page.busy = true
    await vi.advanceTimersByTimeAsync(20 * 60_000)
    expect(page.reloads).toBe(0)
    page.busy = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(page.reloads).toBe(1)
  })

  it('waits for every request that holds it, however often one of them lets go', async () => {
    const page = openPage()
    const letGoOfFirst = holdReload()
    const letGoOfSecond = holdReload()
    letGoOfFirst()
    letGoOfFirst()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(page.reloads).toBe(0)
    letGoOfSecond()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(page.reloads).toBe(1)
  })

  it('reloads at once when the browser brings it back from its cache', async () => {
    const page = openPage()
    page.restore()
    await vi.advanceTimersByTimeAsync(0)
    expect(page.reloads).toBe(1)
  })

  it('is not torn out of a transaction by coming back from the cache', async () => {
    const page = openPage()
    const letGo = holdReload()
    page.restore()
    expect(page.reloads).toBe(0)
    letGo()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(page.reloads).toBe(1)
  })

  it('stays as it is while the server is gone, and reloads when that is back', async () => {
    const page = openPage()
    page.server = false
    await vi.advanceTimersByTimeAsync(60 * 60_000)
    expect(page.reloads).toBe(0)
    page.server = true
    await vi.advanceTimersByTimeAsync(5_000)
    expect(page.reloads).toBe(1)
  })

  it('is not torn out of what began while the server was asked', async () => {
    const page = openPage()
    vi.advanceTimersByTime(300_000)
    expect(page.asked).toBe(1)
    page.busy = true
    await vi.advanceTimersByTimeAsync(0)
    expect(page.reloads).toBe(0)
  })

  it('a dialog with something to do in it holds the five minutes, not what comes back from the cache', async () => {
    const page = openPage()
    page.acting = true
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(page.reloads).toBe(0)
    page.restore()
    await vi.advanceTimersByTimeAsync(0)
    expect(page.reloads).toBe(1)
  })

  it('comes back from the cache without its server as it was', async () => {
    const page = openPage()
    page.server = false
    page.restore()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(page.reloads).toBe(0)
  })
})
