import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { holdReload, isReloadHeld } from '../lib/busy.ts'
import { keepFresh } from './keepFresh.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openPage() {
  const page = { busy: false, reloads: 0, restore: () => {} }
  keepFresh({
    isBusy: () => page.busy || isReloadHeld(),
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
  it('loads anew after five minutes, not before', () => {
    const page = openPage()
    vi.advanceTimersByTime(299_999)
    expect(page.reloads).toBe(0)
    vi.advanceTimersByTime(1)
    expect(page.reloads).toBe(1)
  })

  it('waits while somebody is in the middle of something, and looks again every five seconds', () => {
    const page = openPage()
    page.busy = true
    vi.advanceTimersByTime(20 * 60_000)
    expect(page.reloads).toBe(0)
    page.busy = false
    vi.advanceTimersByTime(5_000)
    expect(page.reloads).toBe(1)
  })

  it('waits for every request that holds it, however often one of them lets go', () => {
    const page = openPage()
    const letGoOfFirst = holdReload()
    const letGoOfSecond = holdReload()
    letGoOfFirst()
    letGoOfFirst()
    vi.advanceTimersByTime(10 * 60_000)
    expect(page.reloads).toBe(0)
    letGoOfSecond()
    vi.advanceTimersByTime(5_000)
    expect(page.reloads).toBe(1)
  })

  it('loads anew at once when the browser brings it back from its cache', () => {
    const page = openPage()
    page.restore()
    expect(page.reloads).toBe(1)
  })

  it('is not torn out of a transaction by coming back from the cache', () => {
    const page = openPage()
    const letGo = holdReload()
    page.restore()
    expect(page.reloads).toBe(0)
    letGo()
    vi.advanceTimersByTime(5_000)
    expect(page.reloads).toBe(1)
  })
})
