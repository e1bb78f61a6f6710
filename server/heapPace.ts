import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

/** How V8 collects garbage. `fast`: seldom, with much memory for what is allocated meanwhile. `small`: often, and it gives the pages back. */
export type HeapPace = 'fast' | 'small'

/** How long the main thread is watched before its share is judged. A block of the chain and a look at the index take less. */
const windowMs = 5_000
/** Share of a window that the main thread computes, from which on collections would slow down requests, or a history that is read. At rest it is 0.03 to 0.13. */
const busyShareMin = 0.2
/**
 * Collections in a window from which on each block leaves so much garbage that a small heap would be collected all the time. The devnet's market
 * has 3 to 5 where the pace is fast, and 8 to 15 where it is small; one of 2,000 pools with a block per second has 14 to 17, and 31 to 39.
 */
const collectionsMin: Readonly<Record<HeapPace, number>> = { fast: 10, small: 30 }
/** So many windows in a row without it, and the server is at rest. */
const restWindows = 6
/**
 * While the pace is fast, one of so many full collections gives pages back. V8 keeps the pages that the others free for new objects alone, which
 * need few of them. With every third, a machine on which new pages are slow read a history a third slower.
 */
const savingEvery = 6

const [saverFlag, fastFlag] = ['--memory-saver-mode', '--no-memory-saver-mode']

/**
 * V8 keeps all pages that its heap ever needed, unless a collection runs in memory saver mode. In that mode every full collection gives pages
 * back, and here the heap may grow by a tenth before the next one. V8 reads these flags when a collection begins: they may change at run time.
 */
export const flagsOf: Readonly<Record<HeapPace, readonly string[]>> = {
  // On a machine with much memory the heap would double between two collections: of a board of 2,000 tokens that is read in, to 640 MB.
  // The space for new objects, which such a collection makes small, is whole again as soon as it grows.
  fast: [fastFlag, '--heap-growing-percent=40', '--semi-space-growth-factor=16'],
  small: [saverFlag, '--heap-growing-percent=10', '--semi-space-growth-factor=2'],
}

/**
 * Set once. The objects of requests that wait for their turn survive several collections. V8 would conclude that all such objects live long, and
 * allocate them where only a full collection frees them, with everything that they refer to.
 */
export const lastingFlag = '--no-allocation-site-pretenuring'

type Seen = { readonly pace: HeapPace; readonly quietWindows: number }

/** What the main thread did in a window: the share of it in which it computed, 0 to 1, and how often it collected garbage. */
type Load = { readonly busyShare: number; readonly collections: number }

type Thread = { read(): Load; stop(): void }

/** What follows from one more window. Pure. */
export function nextPace({ pace, quietWindows }: Seen, { busyShare, collections }: Load): Seen {
  if (busyShare >= busyShareMin || collections >= collectionsMin[pace]) return { pace: 'fast', quietWindows: 0 }
  const quiet = Math.min(restWindows, quietWindows + 1)
  return { pace: quiet === restWindows ? 'small' : 'fast', quietWindows: quiet }
}

/**
 * Keeps the heap small while the server is at rest, and collects seldom while it is busy. A busy one gives pages back,
 * too, but seldom. For the process, with all of its threads: once.
 * @returns ends it; the flags stay as they are
 */
export function keepHeapPace(
  setFlag: (flag: string) => void = setFlagsFromString,
  watch: (onFullCollections: (count: number) => void) => Thread = watchThread,
): () => void {
  let seen: Seen = { pace: 'fast', quietWindows: 0 }
  // Full collections since one that gave pages back.
  let collected = 0
  const savesNext = () => collected >= savingEvery - 1
  const set = (pace: HeapPace) => {
    collected = 0
    flagsOf[pace].forEach(setFlag)
  }
  const thread = watch((count) => {
    if (seen.pace === 'small') return
    collected = savesNext() ? 0 : collected + count
    setFlag(savesNext() ? saverFlag : fastFlag)
  })
  setFlag(lastingFlag)
  set(seen.pace)
  const timer = setInterval(() => {
    const next = nextPace(seen, thread.read())
    if (next.pace !== seen.pace) set(next.pace)
    seen = next
  }, windowMs).unref()
  return () => {
    clearInterval(timer)
    thread.stop()
  }
}

/**
 * The load since the last call: a machine with other work makes no thread busy.
 * @param onFullCollections called in a later turn of the event loop, with how many there were since
 */
export function watchThread(onFullCollections: (count: number) => void = () => undefined): Thread {
  let [last, lastMs, collections] = [process.threadCpuUsage(), performance.now(), 0]
  const observer = new PerformanceObserver((list) => {
    const entries = list.getEntries()
    collections += entries.length
    const full = entries.filter(isFullCollection).length
    if (full > 0) onFullCollections(full)
  })
  observer.observe({ entryTypes: ['gc'] })
  return {
    read: () => {
      const [now, nowMs] = [process.threadCpuUsage(), performance.now()]
      const busyShare = (now.user - last.user + now.system - last.system) / 1_000 / Math.max(1, nowMs - lastMs)
      const load = { busyShare, collections }
      ;[last, lastMs, collections] = [now, nowMs, 0]
      return load
    },
    stop: () => observer.disconnect(),
  }
}

/** The beginning of an incremental collection is an entry of its own, of another kind. */
function isFullCollection(entry: PerformanceEntry): boolean {
  const detail = 'detail' in entry ? entry.detail : undefined
  return detail instanceof Object && 'kind' in detail && detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
}

/** No space for new objects that overrules what a thread is given. */
export const spaceFlag = '--max-semi-space-size=0'

/**
 * The command line says how much space the main thread has for new objects, and overrules what each other thread is given. To be called before
 * the first of them starts; the main thread keeps its own.
 */
export function freeThreadsOfSpaceFlag(): void {
  setFlagsFromString(spaceFlag)
}
