/** A clock that stands still until it is told to go on. */
export type FakeClock = {
  nowMs(): number
  pause(ms: number, signal: AbortSignal): Promise<void>
  /** Resolves when so many are in a pause, and none of them is due. */
  whenAsleep(count: number): Promise<void>
  /** Goes to where the next of `count` sleepers wakes, at most to `untilMs`. Says whether that was reached. */
  next(count: number, untilMs: number): Promise<boolean>
}

type Sleeper = { readonly atMs: number; readonly wake: () => void }

export function createFakeClock(startMs: number): FakeClock {
  let nowMs = startMs
  const sleepers = new Set<Sleeper>()
  const watchers = new Set<{ readonly count: number; readonly resolve: () => void }>()
  const look = () => {
    for (const watcher of watchers) {
      if (sleepers.size < watcher.count) continue
      watchers.delete(watcher)
      watcher.resolve()
    }
  }
  const whenAsleep = (count: number) =>
    new Promise<void>((resolve) => {
      watchers.add({ count, resolve })
      look()
    })
  return {
    nowMs: () => nowMs,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const wake = () => {
          sleepers.delete(sleeper)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper: Sleeper = { atMs: nowMs + ms, wake }
        sleepers.add(sleeper)
        signal.addEventListener('abort', wake)
        look()
      }),
    whenAsleep,
    next: async (count, untilMs) => {
      await whenAsleep(count)
      const wakeMs = Math.min(...[...sleepers].map(({ atMs }) => atMs))
      nowMs = Math.max(nowMs, Math.min(wakeMs, untilMs))
      for (const { atMs, wake } of sleepers) if (atMs <= nowMs) wake()
      return nowMs >= untilMs
    },
  }
}
