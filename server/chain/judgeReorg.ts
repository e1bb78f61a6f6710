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

/** The only node that tells of a deep reorg is believed after this. */
export const deepReorgWaitMs = 600_000
/** And more than half of several: what leads them astray together may be over by then. */
const mostWaitMs = 60_000

/**
 * Whether a reorg is followed. `go: false` comes with the reason in words. Pure. A reorg within the network's limit is
 * everyday; a deeper one is more often another node than a reorg, so it takes all of several nodes, or most of them and time.
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
  if (nodes > 1 && agreeing === nodes) return { go: true }
  const waitMs = nodes > 1 ? mostWaitMs : deepReorgWaitMs
  if (agreeing * 2 > nodes && standingMs >= waitMs) return { go: true }
  const of = nodes > 1 ? `${deep}. ${agreeing} of ${nodes} nodes agree` : deep
  if (nodes > 1 && agreeing * 2 <= nodes) return { go: false, why: `${of}: check RPC_URL` }
  const minutesLeft = Math.max(1, Math.ceil((waitMs - standingMs) / 60_000))
  return { go: false, why: `${of}. If this persists, the server follows it in ${minutesLeft} min: check RPC_URL` }
}

/** A branch that was not followed: its hash of a block, and since when it has been there. */
export type Dispute = {
  readonly number: number
  readonly branch: string
  readonly sinceMs: number
  /** Of more than half of several nodes, when they last said so; for ten minutes their silence is no other word. */
  readonly ofMost?: { readonly depth: number; readonly saidAtMs: number } | undefined
}

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

/**
 * Asks every node about a reorg.
 * @returns the dispute to remember when it may not be followed yet, and whether as many nodes deny the branch as have it
 */
export async function judgeByNodes(
  chain: Chain,
  { number, branch, depth, depthMax, nowMs, dispute }: Reorg,
): Promise<{ go: true } | { go: false; why: string; dispute: Dispute; isDenied: boolean }> {
  if (depth <= depthMax) return { go: true }
  const standing = dispute?.branch === branch ? dispute : { number, branch, sinceMs: nowMs }
  const { nodes, agreeing, denying } = await askEach(chain, standing)
  const verdict = judgeReorg({ depth, depthMax, nodes, agreeing, standingMs: nowMs - standing.sinceMs })
  if (verdict.go) return verdict
  const before = standing.ofMost && nowMs - standing.ofMost.saidAtMs < deepReorgWaitMs ? standing.ofMost : undefined
  const ofMost = isMost({ nodes, agreeing }) ? { depth, saidAtMs: nowMs } : nodes > 1 ? undefined : before
  return { ...verdict, dispute: { ...standing, ofMost }, isDenied: denying >= agreeing }
}

/** Whether more than half of several nodes have a branch. */
export async function isOfMost(
  chain: Pick<Chain, 'readHeaderOfEach'>,
  branch: Pick<Dispute, 'number' | 'branch'>,
): Promise<boolean> {
  return isMost(await askEach(chain, branch))
}

async function askEach(chain: Pick<Chain, 'readHeaderOfEach'>, { number, branch }: Pick<Dispute, 'number' | 'branch'>) {
  const headers = await chain.readHeaderOfEach(number)
  const told = headers.filter((header) => header !== undefined)
  const agreeing = told.filter((header) => header.hash === branch).length
  return { nodes: headers.length, agreeing, denying: told.length - agreeing }
}

function isMost({ nodes, agreeing }: Pick<ReorgFacts, 'nodes' | 'agreeing'>): boolean {
  return nodes > 1 && agreeing * 2 > nodes
}
