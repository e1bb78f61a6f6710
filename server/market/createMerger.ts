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
 * @param steps a merge: its first step reads everything that may change, the others take turns with those who change it
 * @param keep is given each result that counts, in the order in which they count
 */
export function createMerger<T extends object>(steps: () => Iterator<void, T>, keep: (merged: T) => T): Merger<T> {
  let sinceBegun: readonly T[] = []
  return {
    mergeAtOnce: () => {
      const merged = keep(runAtOnce(steps()))
      sinceBegun = [merged]
      return merged
    },
    mergeInTurns: async () => {
      sinceBegun = []
      const merged = await inTurns(steps())
      return sinceBegun[0] ?? keep(merged)
    },
  }
}
