import { type Address, Failure, type Hex } from '@chainboard/core'
import type { Chain, ChainLog } from '../chain/chain.ts'
import { parseLog } from '../chain/parseAnswer.ts'

export type LogQuestion = {
  readonly from: number
  readonly to: number
  /** First topics; any of them. */
  readonly topics: readonly Hex[]
  readonly contracts?: readonly Address[]
}

export type ScanLimits = {
  /** Blocks that the node answers at once. */
  readonly width: number
  readonly requestsMax: number
  /** Enough to know: no further range is read. */
  readonly logsMax: number
  readonly newestFirst?: boolean
}

/** `isComplete`: every block that was asked for was read. */
export type LogScan = { readonly logs: readonly ChainLog[]; readonly isComplete: boolean }

/**
 * Logs of a stretch of the chain, within a bound of requests. A range that has too many logs is halved; a node that reads no
 * logs without contracts' names has none to show. Times of blocks are left out (0).
 * @throws Failure of the codes `rpc-…` when the node does not answer
 */
export async function scanLogs(
  chain: Pick<Chain, 'forward'>,
  { from, to, topics, contracts }: LogQuestion,
  { width: widthMax, requestsMax, logsMax, newestFirst = false }: ScanLimits,
): Promise<LogScan> {
  const logs: ChainLog[] = []
  let [first, last, width] = [from, to, widthMax]
  for (let request = 0; request < requestsMax && first <= last && logs.length < logsMax; request += 1) {
    const range = newestFirst
      ? { from: Math.max(first, last - width + 1), to: last }
      : { from: first, to: Math.min(last, first + width - 1) }
    try {
      logs.push(...(await readLogs(chain, { ...range, topics, ...(contracts ? { contracts } : {}) })))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.code === 'rpc-refused') return { logs, isComplete: false }
      if (error.code !== 'rpc-range-too-wide' || width === 1) throw error
      const named = Number(error.detail['blocks'])
      width = Math.max(1, Math.floor(named > 0 && named < width ? named : width / 2))
      continue
    }
    if (newestFirst) last = range.from - 1
    else first = range.to + 1
  }
  return { logs, isComplete: first > last }
}

async function readLogs(chain: Pick<Chain, 'forward'>, { from, to, topics, contracts }: LogQuestion): Promise<ChainLog[]> {
  const filter = { fromBlock: toHex(from), toBlock: toHex(to), topics: [topics], ...(contracts ? { address: contracts } : {}) }
  const answer = await chain.forward('eth_getLogs', [filter])
  if (!Array.isArray(answer)) return []
  const wanted = contracts && new Set(contracts)
  // What a node sends unasked counts for nothing.
  return answer
    .map(parseLog)
    .filter((log) => topics.some((topic) => topic === log.topics[0]) && (!wanted || wanted.has(log.address)))
    .map((log) => ({ ...log, timestampSeconds: 0 }))
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`
}
