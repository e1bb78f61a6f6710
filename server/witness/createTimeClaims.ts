/** Nodes that say that a block's time is another one than the index has are believed after this: what makes one err may be over by then. */
const standingMs = 60_000

/** What nodes say of the times of blocks, and since when. */
export type TimeClaims = {
  /** @returns whether the same has been said of the block for a minute */
  stands(block: number, claim: string): boolean
  /** The index has the block as the nodes do, or does not have it. */
  drop(isGone: (block: number) => boolean): void
}

/** In memory only. @param nowMs a monotonic clock */
export function createTimeClaims(nowMs: () => number): TimeClaims {
  const claims = new Map<number, { readonly claim: string; readonly sinceMs: number }>()
  return {
    stands(block, claim) {
      const known = claims.get(block)
      if (known?.claim !== claim) claims.set(block, { claim, sinceMs: nowMs() })
      return known?.claim === claim && nowMs() - known.sinceMs >= standingMs
    },
    drop(isGone) {
      for (const block of claims.keys()) if (isGone(block)) claims.delete(block)
    },
  }
}
