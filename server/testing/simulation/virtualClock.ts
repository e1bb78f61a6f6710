/** A clock that moves only when nothing else is left to do. Times are unix milliseconds. */
export type VirtualClock = {
  nowMs(): number
  /** Calls `work` in `ms`; of two for the same moment the one that was asked for first comes first. */
  after(ms: number, work: () => void): void
  /** Resolves after `ms`, or at once when `signal` is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  /** Does what is due until then, or until `until` says that it is enough. */
  runTo(atMs: number, until?: () => boolean): Promise<void>
  /** Events done so far. */
  readonly events: number
}

type Timed = { readonly atMs: number; readonly order: number; readonly work: () => void }

/** Taken before a run makes the global one throw. */
const { setImmediate } = globalThis

/** Lets everything run that waits for nothing but its turn. */
function drain(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export function createVirtualClock(startMs: number): VirtualClock {
  let nowMs = startMs
  let order = 0
  let events = 0
  const heap = createHeap()
  const after = (ms: number, work: () => void) => {
    order += 1
    heap.push({ atMs: nowMs + Math.max(0, ms), order, work })
  }
  return {
    nowMs: () => nowMs,
    after,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        // Taken away when the time is over: adding one looks through all that a signal has, and some signals live as long as a test.
        const wake = () => resolve()
        signal.addEventListener('abort', wake, { once: true })
        after(ms, () => {
          signal.removeEventListener('abort', wake)
          resolve()
        })
      }),
    runTo: async (atMs, until = () => false) => {
      await drain()
      while (!until()) {
        const first = heap.first()
        if (!first || first.atMs > atMs) {
          nowMs = Math.max(nowMs, atMs)
          return
        }
        heap.pop()
        nowMs = first.atMs
        events += 1
        first.work()
        await drain()
      }
    },
    get events() {
      return events
    },
  }
}

function createHeap() {
  const items: Timed[] = []
  const before = (a: number, b: number) => {
    const [x, y] = [items[a] as Timed, items[b] as Timed]
    return x.atMs < y.atMs || (x.atMs === y.atMs && x.order < y.order)
  }
  const swap = (a: number, b: number) => {
    const x = items[a] as Timed
    items[a] = items[b] as Timed
    items[b] = x
  }
  return {
    first: () => items[0],
    push: (item: Timed) => {
      items.push(item)
      for (let i = items.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1
        if (!before(i, parent)) break
        swap(i, parent)
        i = parent
      }
    },
    pop: () => {
      const last = items.pop()
      if (!last || items.length === 0) return
      items[0] = last
      for (let i = 0; ; ) {
        const [left, right] = [2 * i + 1, 2 * i + 2]
        let least = i
        if (left < items.length && before(left, least)) least = left
        if (right < items.length && before(right, least)) least = right
        if (least === i) break
        swap(i, least)
        i = least
      }
    },
  }
}
