import { type Fields, fieldsOf, type Hex } from '@chainboard/core'
import { type Answer, ask } from './ask.ts'
import type { Limits, UsableNode } from './doctorRun.ts'
import { poolCreatedTopic } from './findLogBefore.ts'
import { toRangeCandidates } from './judgeLogs.ts'

type Log = Fields
type LogRequest = { readonly from: number; readonly to: number; readonly topics: readonly Hex[] }

/** `answered`: blocks; `refusal`: what the node said to the width above it; `log`: one that was in the answer. */
export type WidestRange = { readonly answered?: number; readonly refusal?: Answer<unknown>; readonly log?: Log | undefined }

/**
 * The widest range of blocks that is answered, from a block on or at the newest one. Asked for new pools only: the index itself
 * narrows a range that has too many logs, so what counts is the limit on blocks.
 */
export async function findWidestRange(
  limits: Limits,
  node: UsableNode,
  { from, logRangeMax }: { readonly from: number | undefined; readonly logRangeMax: number | undefined },
): Promise<WidestRange> {
  let refusal: Answer<unknown> | undefined
  for (const width of toRangeCandidates(logRangeMax)) {
    if (limits.signal.aborted) break
    const first = from ?? Math.max(0, node.headNumber - width + 1)
    const to = Math.min(node.headNumber, first + width - 1)
    const answer = await readLogs(limits, node, { from: first, to, topics: [poolCreatedTopic] })
    const before = refusal ? { refusal } : {}
    if (answer.kind === 'answer') return { ...before, answered: width, log: answer.value[0] }
    refusal = answer
  }
  return refusal ? { refusal } : {}
}

/** Logs as the node gives them, unchecked; none where its answer is no list. Both blocks are in the range. */
export async function readLogs(limits: Limits, node: UsableNode, { from, to, topics }: LogRequest): Promise<Answer<Log[]>> {
  const filter = { fromBlock: toHex(from), toBlock: toHex(to), topics: [topics] }
  return ask(node, async () => listOf(await node.chain.forward('eth_getLogs', [filter])).map(fieldsOf), limits)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function toHex(number: number): string {
  return `0x${number.toString(16)}`
}
