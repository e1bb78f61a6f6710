import type { Repairs } from './createRepairs.ts'
import type { SecondReading } from './createSecondReading.ts'
import type { WrongBlock } from './findFault.ts'
import type { Claims } from './judgeRepair.ts'

/** A search for what is wrong in the index, while it runs. */
export type Search = {
  /** Whether the index was taken back since the search began, or what it found was handed over: what it finds from now on is void. */
  isVoid(): boolean
  /** Whether nothing further is to be searched: it is void, or the server stops. */
  isOver(): boolean
}

/** The block that was found to be wrong in the index and may be repaired now: one at a time, until the follower takes it. */
export type Findings = {
  begin(): Search
  /**
   * Whether what a search has found is to be repaired now. If not, as more than one node's word is needed or its repairs have to
   * wait, it waits in the second reading.
   * @param end the last block of the index
   * @returns the block; undefined when it is not, or the search is void
   */
  judge(search: Search, wrong: WrongBlock | undefined, end: number): number | undefined
  /** Looks for a wrong block unless one was found already, and keeps it if it is to be repaired now. */
  find(search: Search, end: number, look: () => Promise<WrongBlock | undefined>): Promise<void>
  found(): number | undefined
  /**
   * Hands over what was found. Whether the index is then taken back or not, as after a commit whose answer was lost: it is judged
   * again, and stays known until then.
   */
  take(): number | undefined
  /** What was found cannot be repaired. */
  drop(): void
  /** The index was taken back. */
  rolledBack(): void
}

type Deps = {
  readonly nodes: readonly unknown[]
  readonly repairs: Pick<Repairs, 'mayRepair'>
  readonly claims: Pick<Claims, 'judge'>
  readonly second: Pick<SecondReading, 'leave'>
  readonly distrust?: ((place: number) => void) | undefined
  readonly signal: AbortSignal
}

/** @param deps `distrust`: asks nodes last that left out what was found; not when all of them did. `signal`: aborts when the server stops */
export function createFindings({ nodes, repairs, claims, second, distrust, signal }: Deps): Findings {
  let found: number | undefined
  /** How often the index was taken back, or a find was handed over. */
  let epoch = 0

  const judge: Findings['judge'] = (search, wrong, end) => {
    // What lies above the index is not missing in it: the next range may bring it.
    if (!wrong || search.isVoid() || wrong.block > end) return undefined
    const mayRepair = repairs.mayRepair(wrong.block)
    if (!claims.judge(wrong.block, wrong.backing, end) || !mayRepair) {
      second.leave(wrong.block)
      return undefined
    }
    for (const place of wrong.liars.length < nodes.length ? wrong.liars : []) distrust?.(place)
    return wrong.block
  }

  return {
    begin() {
      const since = epoch
      const isVoid = () => since !== epoch
      return { isVoid, isOver: () => signal.aborted || isVoid() }
    },
    judge,
    async find(search, end, look) {
      if (found !== undefined) return
      const wrong = await look()
      found = judge(search, wrong, end)
    },
    found: () => found,
    take() {
      const wrong = found
      if (wrong === undefined) return undefined
      second.leave(wrong)
      found = undefined
      epoch += 1
      return wrong
    },
    drop() {
      found = undefined
    },
    rolledBack() {
      epoch += 1
      found = undefined
    },
  }
}
