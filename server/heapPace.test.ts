import { spawnSync } from 'node:child_process'
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
  type Act = { readonly collect: (...counts: readonly number[]) => void; readonly rest: () => void; readonly work: () => void }
  /** Each setting of the memory saver after the first. */
  const follow = (act: (acts: Act) => void) => {
    vi.useFakeTimers()
    const flags: string[] = []
    let [busyShare, onFullCollections] = [0, (_count: number) => {}]
    const stop = keepHeapPace(
      (flag) => flag.endsWith('memory-saver-mode') && flags.push(flag),
      (heard) => {
        onFullCollections = heard
        return { read: () => ({ busyShare, collections: 0 }), stop: () => {} }
      },
    )
    act({
      collect: (...counts) => {
        for (const count of counts) onFullCollections(count)
      },
      rest: () => {
        busyShare = 0
        vi.advanceTimersByTime(30_000)
      },
      work: () => {
        busyShare = 1
        vi.advanceTimersByTime(5_000)
      },
    })
    stop()
    vi.useRealTimers()
    return flags.slice(1)
  }
  const [saver, none] = ['--memory-saver-mode', '--no-memory-saver-mode']

  it('give pages back every sixth time while the server is busy', () => {
    const flags = follow(({ collect }) => collect(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
    expect(flags).toEqual([none, none, none, none, saver, none, none, none, none, none, saver, none])
  })

  it('give pages back as often when several were heard of at once', () => {
    expect(follow(({ collect }) => collect(2, 2, 2, 1, 4, 1))).toEqual([none, none, saver, none, none, saver])
  })

  it('all give pages back while the server is at rest, and counting begins at 0 after it', () => {
    const flags = follow(({ collect, rest, work }) => {
      collect(4)
      rest()
      collect(1, 1)
      work()
      collect(1, 4)
    })
    expect(flags).toEqual([none, saver, none, none, saver])
  })

  it('are counted apart from collections of new objects', () => {
    const script = `
      const { watchThread } = await import('./heapPace.ts')
      let full = 0
      const thread = watchThread((count) => { full += count })
      const turns = async () => { for (let i = 0; i < 3; i += 1) await new Promise(setImmediate) }
      for (let i = 0; i < 20; i += 1) { gc({ type: 'minor' }); await turns() }
      gc()
      gc()
      await turns()
      console.log(full, thread.read().collections)`
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
      ...{ encoding: 'utf8', env: {}, cwd: import.meta.dirname },
    })
    expect({ stdout, stderr }).toEqual({ stdout: '2 22\n', stderr: '' })
  })
})

it('sets flags that this V8 knows, and still takes while it runs', () => {
  const flags = [spaceFlag, lastingFlag, ...flagsOf.fast, ...flagsOf.small]
  const script = `for (const flag of ${JSON.stringify(flags)}) require('node:v8').setFlagsFromString(flag)`
  const { status, signal, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', env: {} })
  // V8 only complains about a flag that it does not know, and ends the process when its flags are frozen.
  expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' })
})
