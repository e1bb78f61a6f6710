/** How often one block is read again without a wait because of what was found there. */
const atOnceMax = 3
/** A node may always leave out the same events: from then on the waits double, within these bounds. */
const waitFirstMs = 60_000
const waitMaxMs = 3_600_000
/** Blocks whose repairs are remembered; the oldest go first. */
const rememberedMax = 1_000

/** When a wrong block may be read again. */
export type Repairs = {
  mayRepair(block: number): boolean
  /** Whether all of the index may be read again: true the first time. */
  mayBeginAnew(): boolean
  repaired(block: number): void
  /** It could not be: tried again after longer and longer waits, from the first time on. */
  failed(block: number): void
  /** Repairs since the start. */
  count(): number
}

/** In memory only. @param nowMs a monotonic clock */
export function createRepairs(nowMs: () => number): Repairs {
  const repairsOf = new Map<number, { readonly times: number; readonly nextAtMs: number }>()
  let [count, hasBegunAnew] = [0, false]
  const remember = (block: number, times: number) => {
    const waitMs = times < atOnceMax ? 0 : Math.min(waitMaxMs, waitFirstMs * 2 ** (times - atOnceMax))
    repairsOf.delete(block)
    repairsOf.set(block, { times, nextAtMs: nowMs() + waitMs })
    for (const oldest of repairsOf.keys()) {
      if (repairsOf.size <= rememberedMax) break
      repairsOf.delete(oldest)
    }
  }
  const timesOf = (block: number) => repairsOf.get(block)?.times ?? 0
  return {
    count: () => count,
    mayRepair: (block) => (repairsOf.get(block)?.nextAtMs ?? 0) <= nowMs(),
    mayBeginAnew() {
      const may = !hasBegunAnew
      hasBegunAnew = true
      return may
    },
    repaired(block) {
      count += 1
      remember(block, timesOf(block) + 1)
    },
    failed: (block) => remember(block, Math.max(atOnceMax, timesOf(block) + 1)),
  }
}
