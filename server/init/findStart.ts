import type { Address } from '@chainboard/core'
import type { Limits, UsableNode } from '../doctor/doctorRun.ts'
import { findCreationBlock } from '../doctor/findCreationBlock.ts'
import { findLogBefore, poolCreatedTopic } from '../doctor/findLogBefore.ts'

/** Where an index begins. `source`: how that is known. */
export type Start = { readonly block: number; readonly source: 'state' | 'first pool' }

/**
 * The block of a factory's creation by the states of past blocks; where the node does not keep them, the block of its first pool.
 * A node that answers "no code" for a state that it has thrown away is caught by a pool that was made before.
 * @returns undefined when the node can say neither
 */
export async function findStart(
  limits: Limits,
  node: UsableNode,
  { factory, width }: { readonly factory: Address; readonly width: number },
): Promise<Start | undefined> {
  const { headNumber } = node
  const createdAt = await findCreationBlock(limits, node, factory, headNumber)
  const end = createdAt ?? headNumber + 1
  const question = { contract: factory, topic: poolCreatedTopic, from: 0, startBlock: end, width }
  const { logBefore, lookedAtAll } = await findLogBefore(limits, node, question)
  if (createdAt !== undefined && logBefore === undefined) return { block: createdAt, source: 'state' }
  // Logs come in the order of the chain: the first of all is the first pool.
  return logBefore !== undefined && lookedAtAll ? { block: logBefore, source: 'first pool' } : undefined
}
