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
  const most = given.find((hash) => given.filter((each) => each === hash).length * 2 > hashes.length)
  if (most === undefined) return { kind: 'undecided' }
  const off = hashes.flatMap((hash, place) => (hash !== undefined && hash !== most ? [place] : []))
  return { kind: 'split', off, isIndexOff: most !== indexed }
}
