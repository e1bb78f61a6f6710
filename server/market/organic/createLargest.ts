type Kept<T> = { readonly one: T; readonly size: bigint; readonly place: number }

/** Takes one thing after the other and keeps the largest, at most twice as many as are wanted at once. Of two of a size the first. */
export function createLargest<T>(max: number, sizeOf: (one: T) => bigint) {
  let kept: Kept<T>[] = []
  let place = 0
  /** Of the smallest that may count, once there are enough. */
  let least: bigint | undefined
  const prune = () => {
    kept.sort((a, b) => (a.size === b.size ? a.place - b.place : a.size > b.size ? -1 : 1))
    kept = kept.slice(0, max)
    least = kept.at(-1)?.size
  }
  return {
    add: (one: T): void => {
      const size = sizeOf(one)
      place += 1
      if (least !== undefined && size <= least) return
      kept.push({ one, size, place })
      if (kept.length >= 2 * max) prune()
    },
    /** In the order in which they were added. */
    list: (): T[] => {
      if (kept.length > max) prune()
      return kept.sort((a, b) => a.place - b.place).map(({ one }) => one)
    },
  }
}
