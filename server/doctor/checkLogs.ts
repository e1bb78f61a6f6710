import { indexedTopics } from '../indexer/decodeLog.ts'
import type { DoctorRun, UsableNode } from './doctorRun.ts'
import { findWidestRange, readLogs } from './findWidestRange.ts'
import { judgeHistory, judgeRange, judgeTimestamp } from './judgeLogs.ts'

/** Blocks at the head that are searched for a log to look at. */
const recentBlocks = 100

/** Looks at what a node answers to `eth_getLogs`, asked as the index asks: by topics, from its first block on. */
export async function checkLogs(run: DoctorRun, node: UsableNode): Promise<void> {
  const { dex, chain } = run.examined.network
  const { field, headNumber } = node
  const history = await readLogs(run, node, { from: dex.startBlock, to: dex.startBlock, topics: indexedTopics })
  run.say(judgeHistory(field, history, dex.startBlock))
  const from = history.kind === 'answer' ? dex.startBlock : undefined
  const { answered, refusal, log } = await findWidestRange(run, node, { from, logRangeMax: chain.logRangeMax })
  if (run.signal.aborted) return
  run.say(judgeRange(field, { logRangeMax: chain.logRangeMax, answered, refusal }))
  if (answered === undefined) return
  const recentFrom = Math.max(0, headNumber - Math.min(recentBlocks, answered) + 1)
  const recent = log ? undefined : await readLogs(run, node, { from: recentFrom, to: headNumber, topics: indexedTopics })
  run.say(judgeTimestamp(field, log ?? recent?.value?.[0]))
}
