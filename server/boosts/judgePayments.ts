import { type Address, Failure } from '@chainboard/core'
import type { BlockHash, Chain, ChainLog } from '../chain/chain.ts'
import { boostTopics } from './decodeBoostLogs.ts'

/** All logs of a block by its receipts, which no index of logs is asked for, and whether these prove themselves. Times need not be told. */
export type ReadReceipts = (
  node: Chain,
  block: number,
) => Promise<{ readonly logs: readonly ChainLog[]; readonly isProven: boolean }>

export type JudgeDeps = {
  /** Every node of the configuration, each asked by itself. */
  readonly nodes: readonly Chain[]
  readonly contract: Address
  readonly readReceipts: ReadReceipts
}

/**
 * The contract's logs in a block by the receipts that prove themselves, or else those that most nodes give of it, with the block's time.
 * @param settled the last block of the ledger: a node that does not have it is on another chain, and has no say
 * @returns undefined when no node gives receipts, or as many give others
 */
export async function judgePayments(
  deps: JudgeDeps,
  block: number,
  settled: BlockHash,
): Promise<readonly ChainLog[] | undefined> {
  const answers = await Promise.all(deps.nodes.map((node) => readOf(deps, node, { block, settled })))
  const given = answers.filter((answer) => answer !== undefined)
  const proven = given.filter(({ isProven }) => isProven)
  const heard = (proven.length > 0 ? proven : given).map(({ logs }) => logs)
  const votes = Map.groupBy(heard, (logs) => JSON.stringify(logs))
  const [most, second] = [...votes.values()].sort((a, b) => b.length - a.length)
  return most && most.length > (second?.length ?? 0) ? most[0] : undefined
}

type Asked = { readonly block: number; readonly settled: BlockHash }

async function readOf({ contract, readReceipts }: JudgeDeps, node: Chain, { block, settled }: Asked) {
  try {
    const [{ logs, isProven }, header, end] = await Promise.all([
      readReceipts(node, block),
      node.readHeader(block),
      node.readHeader(settled.number),
    ])
    if (!header || end?.hash !== settled.hash || logs.some(({ blockHash }) => blockHash !== header.hash)) return undefined
    // A node that has forgotten the block's receipts may give none, and still its header.
    if (!isProven && logs.length === 0 && header.logsBloom !== undefined && BigInt(header.logsBloom) !== 0n) return undefined
    const ours = logs.filter(({ address, topics: [topic] }) => address === contract && topic && boostTopics.includes(topic))
    const timed = ours.map((log) => ({ ...log, timestampSeconds: header.timestampSeconds }))
    return { logs: timed.toSorted((a, b) => a.logIndex - b.logIndex), isProven }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
}
