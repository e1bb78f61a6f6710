/** How long a database has been asked without an answer. */
export type Silence = {
  /** Begins to wait for an answer. @returns what ends it */
  begin(): () => void
  /** Milliseconds that the oldest question still waits; 0 when none does. */
  ms(): number
}

/** As many are kept as statements are under way: the connections of a pool bound them. */
export function createSilence(nowMs: () => number = () => performance.now()): Silence {
  const waiting = new Set<{ readonly sinceMs: number }>()
  return {
    begin: () => {
      const question = { sinceMs: nowMs() }
      waiting.add(question)
      return () => void waiting.delete(question)
    },
    // A set keeps the order in which they began.
    ms: () => {
      const [oldest] = waiting
      return oldest ? nowMs() - oldest.sinceMs : 0
    },
  }
}
