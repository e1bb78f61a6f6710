import { deepReorgWaitMs } from '../chain/judgeReorg.ts'

/** What says that a block is wrong in the index. */
export type Backing = {
  /** Receipts that make the root of their header say so. */
  readonly isProven: boolean
  /** Nodes that say so, of those that say anything. */
  readonly agreeing: number
  readonly voices: number
  /** What they say, as text: another one is another claim. */
  readonly claim: string
  /** Whether they say only that the index has too much. Nodes forget more often than an index invents. Absent: no. */
  readonly isLoss?: boolean
}

export type RepairFacts = Omit<Backing, 'claim'> & {
  readonly block: number
  /** Blocks that the index would lose. */
  readonly depth: number
  readonly depthMax: number
  /** How long the same has been said. */
  readonly standingMs: number
}

/**
 * Whether the index is taken back to before a block. `go: false` comes with the reason in words. Pure. What a proof shows is
 * repaired at any depth; what nodes merely say is followed as a reorg is (`judgeReorg.ts`): deeper than the network's limit only
 * when all of several nodes say so, or one has said so for long; all of them, too, where they have only less than the index.
 */
export function judgeRepair(facts: RepairFacts): { readonly go: true } | { readonly go: false; readonly why: string } {
  const { block, depth, depthMax, isProven, isLoss, agreeing, voices, standingMs } = facts
  if (isProven || depth <= depthMax) return { go: true }
  const wrong = `${agreeing === 1 ? 'One node contradicts' : `${agreeing} nodes contradict`} block ${block} of the index without proof`
  if (agreeing < voices) return { go: false, why: `${wrong}. ${agreeing} of ${voices} nodes agree: check RPC_URL` }
  if (voices > 1 && !isLoss) return { go: true }
  if (standingMs >= deepReorgWaitMs) return { go: true }
  const minutesLeft = Math.ceil((deepReorgWaitMs - standingMs) / 60_000)
  return {
    go: false,
    why: `${wrong}. If this persists, the server reads the index again from there in ${minutesLeft} min: check RPC_URL`,
  }
}

/** Claims that are remembered; the oldest go first. */
const rememberedMax = 1_000

export type Claims = {
  /** @returns whether the index may be taken back to before the block now */
  judge(block: number, backing: Backing, end: number): boolean
  /** Why the index is not taken back to before the block, if it is said to be wrong. */
  why(block: number): string | undefined
  /** The index ends here now. */
  rolledBack(to: number): void
}

/** Remembers since when a claim has stood that was not followed. */
export function createClaims(nowMs: () => number, depthMax: number): Claims {
  const claims = new Map<number, { readonly claim: string; readonly sinceMs: number; readonly why: string }>()
  return {
    judge(block, { claim, ...backing }, end) {
      const before = claims.get(block)
      const sinceMs = before?.claim === claim ? before.sinceMs : nowMs()
      const verdict = judgeRepair({ ...backing, block, depth: end - block + 1, depthMax, standingMs: nowMs() - sinceMs })
      claims.delete(block)
      if (!verdict.go) claims.set(block, { claim, sinceMs, why: verdict.why })
      for (const oldest of claims.keys()) {
        if (claims.size <= rememberedMax) break
        claims.delete(oldest)
      }
      return verdict.go
    },
    why: (block) => claims.get(block)?.why,
    rolledBack: (to) => {
      for (const block of claims.keys()) if (block > to) claims.delete(block)
    },
  }
}
