/** The pace is that of so much time: ranges differ in what they hold. */
const windowMs = 300_000
/** Looks are kept this far apart, the newest one always. */
const apartMs = 5_000
/** Before so much time there is no pace to speak of. */
const leastMs = 5_000

/** How quickly a chain is read. */
export type Pace = { readonly blocksPerSecond: number; readonly eventsPerSecond: number }

type Look = { readonly atMs: number; readonly block: number; readonly events: number }

export type ReadingPace = {
  /** After each range: the last block read, and the events in it. @returns undefined before five seconds of reading */
  see(range: { readonly atMs: number; readonly block: number; readonly events: number }): Pace | undefined
  /** Reading has stopped: what comes later has a pace of its own. */
  reset(): void
}

const isOld = (look: Look | undefined, atMs: number) => look !== undefined && look.atMs < atMs - windowMs

/** Measures the pace of reading over the last five minutes. */
export function createReadingPace(): ReadingPace {
  let looks: Look[] = []
  let events = 0
  return {
    see: ({ atMs, block, events: added }) => {
      events += added
      const newest = { atMs, block, events }
      // A chain that was taken back is read again.
      if (block < (looks.at(-1)?.block ?? 0)) looks = []
      const last = looks.at(-1)
      if (!last || atMs - last.atMs >= apartMs) looks.push(newest)
      while (looks.length > 1 && isOld(looks[0], atMs)) looks.shift()
      const [from = newest] = looks
      const seconds = (atMs - from.atMs) / 1_000
      if (atMs - from.atMs < leastMs) return undefined
      return { blocksPerSecond: (block - from.block) / seconds, eventsPerSecond: (events - from.events) / seconds }
    },
    reset: () => {
      looks = []
    },
  }
}
