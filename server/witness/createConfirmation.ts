/** What a comparison of the index with its contracts has found. */
export type Looked = {
  readonly block: number
  readonly pools: number
  readonly agreed: number
  readonly isWhole: () => Promise<boolean>
}

export type Confirmation = {
  repaired(block: number): void
  rolledBack(to: number): void
  /** Notes a comparison. `isWhole`: whether the block read again is as its receipts say; asked only of an index without a pool. */
  see(looked: Looked): Promise<void>
  /** The block from which on the index was read again without anything that confirms it; undefined when none is. */
  pending(): number | undefined
}

/**
 * What was read again comes from the logs of the same nodes: it is not known to be right until a contract agrees, or receipts do
 * where no pool is left that could.
 */
export function createConfirmation(): Confirmation {
  let from: number | undefined
  return {
    repaired(block) {
      from = Math.min(from ?? block, block)
    },
    rolledBack(to) {
      if (from !== undefined) from = Math.min(from, to + 1)
    },
    async see({ block, pools, agreed, isWhole }) {
      const asked = from
      if (asked === undefined || block < asked) return
      if (agreed === 0 && (pools > 0 || !(await isWhole()))) return
      if (from === asked) from = undefined
    },
    pending: () => from,
  }
}
