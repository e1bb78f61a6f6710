import { runAtOnce } from '@chainboard/core'
import { inTurns } from './inTurns.ts'

/** Merges what is known into one value, again and again. */
export type Merger<T> = {
  /** Without a turn for others. */
  mergeAtOnce(): T
  /** With turns for others, one merge at a time. What was merged at once in the meantime knows more, and is returned instead. Fails as a step does. */
  mergeInTurns(): Promise<T>
}

/**
 * @param steps a merge: its first step reads what the whole of it rests on; the others take turns with those who change that
 * @param keep is given each result that counts, in the order in which they count
 */
export function createMerger<T extends object>(steps: () => Generator<void, T>, keep: (merged: T) => T): Merger<T> {
  let sinceBegun: readonly T[] = []
  function* begin() {
    sinceBegun = []
    return yield* steps()
  }
  return {
    mergeAtOnce: () => {
      const merged = keep(runAtOnce(steps()))
      sinceBegun = [merged]
      return merged
    },
    mergeInTurns: async () => {
      const merged = await inTurns(begin())
      return sinceBegun[0] ?? keep(merged)
    },
  }
}
