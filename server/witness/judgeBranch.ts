import { findMost } from '../chain/findMost.ts'

/** What the nodes' hashes of one block say. `off`: places of the nodes that have another block than most; `isIndexOff`: so has the index. */
export type BranchVerdict =
  | { readonly kind: 'agreed' | 'undecided' }
  | { readonly kind: 'split'; readonly off: readonly number[]; readonly isIndexOff: boolean }

/**
 * Whether nodes are on different branches. Most means more than half of all nodes, silent ones included. Pure.
 * @param hashes in the order of the nodes; undefined for one that did not answer, or does not have the block
 */
export function judgeBranch(hashes: readonly (string | undefined)[], indexed: string): BranchVerdict {
  const given = hashes.filter((hash) => hash !== undefined)
  if (given.every((hash) => hash === indexed)) return { kind: 'agreed' }
  const most = findMostOf(hashes)
  if (most === undefined) return { kind: 'undecided' }
  return { kind: 'split', off: listOff(hashes), isIndexOff: most !== indexed }
}

/** Places of the nodes that have another block than more than half of all nodes; none where no block is that of most. Pure. */
export function listOff(hashes: readonly (string | undefined)[]): number[] {
  const most = findMostOf(hashes)
  return most === undefined ? [] : hashes.flatMap((hash, place) => (hash !== undefined && hash !== most ? [place] : []))
}

/** The block that more than half of all nodes have; undefined when none is. Pure. */
export function findMostOf(hashes: readonly (string | undefined)[]): string | undefined {
  const given = hashes.filter((hash) => hash !== undefined)
  return findMost(given, (hash) => hash, hashes.length)
}
