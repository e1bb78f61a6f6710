import type { Hex } from '@chainboard/core'
import { indexedTopics } from '../indexer/decodeLog.ts'
import { type Answer, ask } from './ask.ts'
import { poolCreatedTopic } from './findLogBefore.ts'
import { judgeHistory, judgeRange, judgeTimestamp, toRangeCandidates } from './judgeLogs.ts'
import type { UsableNode, Visit } from './visit.ts'

type Log = { readonly blockTimestamp?: unknown }
type LogRequest = { readonly from: number; readonly to: number; readonly topics: readonly Hex[] }

/** Blocks at the head that are searched for a log to look at. */
const recentBlocks = 100

/** Looks at what a node answers to `eth_getLogs`, asked as the index asks: by topics, from its first block on. */
export async function checkLogs(visit: Visit, node: UsableNode): Promise<void> {
  const { dex, chain } = visit.patient.network
  const { field, headNumber } = node
  const history = await readLogs(visit, node, { from: dex.startBlock, to: dex.startBlock, topics: indexedTopics })
  visit.say(judgeHistory(field, history, dex.startBlock))
  const from = history.kind === 'answer' ? dex.startBlock : undefined
  const { answered, refusal, log } = await findWidestRange(visit, node, from)
  if (visit.signal.aborted) return
  visit.say(judgeRange(field, { logRangeMax: chain.logRangeMax, answered, refusal }))
  if (answered === undefined) return
  const recentFrom = Math.max(0, headNumber - Math.min(recentBlocks, answered) + 1)
  const recent = log ? undefined : await readLogs(visit, node, { from: recentFrom, to: headNumber, topics: indexedTopics })
  visit.say(judgeTimestamp(field, log ?? recent?.value?.[0]))
}

type WidestRange = { readonly answered?: number; readonly refusal?: Answer<unknown>; readonly log?: Log | undefined }

/**
 * The widest range of blocks that is answered. Asked for new pools only: the index itself narrows a range that has too many
 * logs, so what counts is the limit on blocks.
 */
async function findWidestRange(visit: Visit, node: UsableNode, from: number | undefined): Promise<WidestRange> {
  let refusal: Answer<unknown> | undefined
  for (const width of toRangeCandidates(visit.patient.network.chain.logRangeMax)) {
    if (visit.signal.aborted) break
    const first = from ?? Math.max(0, node.headNumber - width + 1)
    const to = Math.min(node.headNumber, first + width - 1)
    const answer = await readLogs(visit, node, { from: first, to, topics: [poolCreatedTopic] })
    const before = refusal ? { refusal } : {}
    if (answer.kind === 'answer') return { ...before, answered: width, log: answer.value[0] }
    refusal = answer
  }
  return refusal ? { refusal } : {}
}

async function readLogs(visit: Visit, node: UsableNode, { from, to, topics }: LogRequest): Promise<Answer<Log[]>> {
  const filter = { fromBlock: toHex(from), toBlock: toHex(to), topics: [topics] }
  return ask(node, async () => ((await node.chain.forward('eth_getLogs', [filter])) ?? []) as Log[], visit)
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`
}
