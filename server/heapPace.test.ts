import { spawnSync } from 'node:child_process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { flagsOf, keepHeapPace, lastingFlag, nextPace, spaceFlag, watchThread } from './heapPace.ts'

/** The paces after windows with these loads. */
function followLoads(loads: readonly Parameters<typeof nextPace>[1][]): string[] {
  let seen: ReturnType<typeof nextPace> = { pace: 'fast', quietWindows: 0 }
  return loads.map((load) => {
    seen = nextPace(seen, load)
    return seen.pace
  })
}

const follow = (shares: readonly number[]) => followLoads(shares.map((busyShare) => ({ busyShare, collections: 0 })))
const followCollections = (counts: readonly number[]) =>
  followLoads(counts.map((collections) => ({ busyShare: 0.1, collections })))

describe('the heap', () => {
  it('is kept small after six quiet windows in a row', () => {
    expect(follow([0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05])).toEqual(['fast', 'fast', 'fast', 'fast', 'fast', 'small', 'small'])
  })

  it('is fast again with the first busy window, and small only after six more quiet ones', () => {
    const shares = [0, 0, 0, 0, 0, 0.19, 0.2, 0.19, 0, 0, 0, 0, 0]
    const [quick, small] = ['fast', 'small']
    expect(follow(shares).slice(5)).toEqual([small, quick, quick, quick, quick, quick, quick, small])
  })

  it('is not kept small by a window that is busy now and then', () => {
    expect(follow([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1])).not.toContain('small')
  })

  it('stays fast where every block leaves much garbage', () => {
    expect(followCollections([14, 15, 17, 14, 16, 15, 14, 15])).not.toContain('small')
  })

  it('is small where little garbage is collected often, and fast again where it is much', () => {
    expect(followCollections([3, 5, 4, 3, 3, 3, 15, 8, 31]).slice(5)).toEqual(['small', 'small', 'small', 'fast'])
  })
})

it('counts collections, each once', async () => {
  const thread = watchThread()
  try {
    let kept: object[] = []
    await expect
      .poll(() => {
        kept = Array.from({ length: 200_000 }, (_, i) => ({ i }))
        return thread.read().collections
      })
      .toBeGreaterThan(0)
    expect(kept).toHaveLength(200_000)
  } finally {
    thread.stop()
  }
})

it('begins fast', () => {
  const flags: string[] = []
  keepHeapPace((flag) => flags.push(flag))()
  expect(flags).toEqual([
    '--no-allocation-site-pretenuring',
    '--no-memory-saver-mode',
    '--heap-growing-percent=40',
    '--semi-space-growth-factor=16',
  ])
})

describe('full collections', () => {
  /** The flags that are set after the first ones. */
  const collect = (act: (fullCollection: () => void) => void) => {
    vi.useFakeTimers()
    const flags: string[] = []
    let fullCollection = () => {}
    const stop = keepHeapPace(
      (flag) => flags.push(flag),
      (onFullCollection) => {
        fullCollection = onFullCollection
        return { read: () => ({ busyShare: 0, collections: 0 }), stop: () => {} }
      },
    )
    const begun = flags.length
    act(() => fullCollection())
    stop()
    vi.useRealTimers()
    return flags.slice(begun)
  }

  it('give pages back every sixth time while the server is busy', () => {
    const flags = collect((fullCollection) => {
      for (let i = 0; i < 12; i += 1) fullCollection()
    })
    expect(flags.flatMap((flag, i) => (flag === '--memory-saver-mode' ? [i] : []))).toEqual([4, 10])
    expect(flags.filter((flag) => flag === '--no-memory-saver-mode')).toHaveLength(10)
  })

  it('all give pages back while the server is at rest', () => {
    const flags = collect((fullCollection) => {
      vi.advanceTimersByTime(30_000)
      fullCollection()
      fullCollection()
    })
    expect(flags).toEqual(['--memory-saver-mode', '--heap-growing-percent=10', '--semi-space-growth-factor=2'])
  })

  it('are told from those of new objects', async () => {
    let full = 0
    const thread = watchThread(() => {
      full += 1
    })
    try {
      setFlagsFromString('--expose-gc')
      const gc: unknown = runInNewContext('gc')
      if (typeof gc !== 'function') throw new TypeError('no collection by hand')
      for (let i = 0; i < 50; i += 1) gc({ type: 'minor' })
      let collections = 0
      await expect.poll(() => (collections += thread.read().collections)).toBeGreaterThanOrEqual(50)
      // V8 may begin some of its own meanwhile.
      expect(full).toBeLessThan(10)
      const before = full
      gc()
      await expect.poll(() => full).toBeGreaterThan(before)
    } finally {
      thread.stop()
    }
  })
})

it('sets flags that this V8 knows, and still takes while it runs', () => {
  const flags = [spaceFlag, lastingFlag, ...flagsOf.fast, ...flagsOf.small]
  const script = `for (const flag of ${JSON.stringify(flags)}) require('node:v8').setFlagsFromString(flag)`
  const { status, signal, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', env: {} })
  // V8 only complains about a flag that it does not know, and ends the process when its flags are frozen.
  expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' })
})
