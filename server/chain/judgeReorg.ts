import type { Chain } from './chain.ts'

export type ReorgFacts = {
  /** Blocks that were read and that the node's chain does not have. */
  readonly depth: number
  readonly depthMax: number
  /** Nodes that answered, and those among them that have the same other block. */
  readonly nodes: number
  readonly agreeing: number
  /** How long the same branch has been there. */
  readonly standingMs: number
}

/** A lone node that tells of a deep reorg is believed after this. */
export const deepReorgWaitMs = 600_000

/**
 * Whether a reorg is followed. `go: false` comes with the reason in words. Pure. A reorg within the network's limit is
 * everyday; a deeper one is more often another node than a reorg, so it takes all of several nodes, or time with one.
 */
export function judgeReorg({
  depth,
  depthMax,
  nodes,
  agreeing,
  standingMs,
}: ReorgFacts): { go: true } | { go: false; why: string } {
  if (depth <= depthMax) return { go: true }
  const deep = `The node reports a reorg of ${depth} blocks; this network's limit is ${depthMax}`
  if (nodes > 1)
    return agreeing === nodes ? { go: true } : { go: false, why: `${deep}. ${agreeing} of ${nodes} nodes agree: check RPC_URL` }
  if (standingMs >= deepReorgWaitMs && agreeing > 0) return { go: true }
  const minutesLeft = Math.ceil((deepReorgWaitMs - standingMs) / 60_000)
  return { go: false, why: `${deep}. The server follows it in ${minutesLeft} min if it persists: check RPC_URL` }
}

/** A branch that was not followed, and since when it has been there. */
export type Dispute = { readonly branch: string; readonly sinceMs: number }

export type Reorg = {
  /** The lowest block known to be another one on the branch, and its hash there. */
  readonly number: number
  readonly branch: string
  readonly depth: number
  readonly depthMax: number
  readonly nowMs: number
  /** Of the last time. */
  readonly dispute: Dispute | undefined
}

/** Asks every node about a reorg. @returns the dispute to remember when it may not be followed yet */
export async function judgeByNodes(
  chain: Chain,
  { number, branch, depth, depthMax, nowMs, dispute }: Reorg,
): Promise<{ go: true } | { go: false; why: string; dispute: Dispute }> {
  if (depth <= depthMax) return { go: true }
  const headers = await chain.readHeaderOfEach(number)
  const standing = dispute?.branch === branch ? dispute : { branch, sinceMs: nowMs }
  const verdict = judgeReorg({
    depth,
    depthMax,
    nodes: headers.length,
    agreeing: headers.filter((header) => header?.hash === branch).length,
    standingMs: nowMs - standing.sinceMs,
  })
  return verdict.go ? verdict : { ...verdict, dispute: standing }
}
