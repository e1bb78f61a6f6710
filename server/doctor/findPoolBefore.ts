import type { Address } from '@chainboard/core'
import { toEventSelector } from 'viem'
import { ask } from './ask.ts'
import { rangeWantedDefault } from './judgeLogs.ts'
import type { UsableNode, Visit } from './visit.ts'

/** First topic of the event by which a factory tells of a new pool. */
export const poolCreatedTopic = toEventSelector('PoolCreated(address,address,uint24,int24,address)')
/** Ranges looked at when the node does not answer for all blocks at once. */
const rangesMax = 10

export type PoolBefore = { readonly poolBefore: number | undefined; readonly lookedAtAll: boolean }

/**
 * The first pool that the factory made from `from` to before `startBlock`: in one question where the node answers it, else in
 * the last few ranges before `startBlock`.
 */
export async function findPoolBefore(
  visit: Visit,
  node: UsableNode,
  { factory, from, startBlock }: { factory: Address; from: number; startBlock: number },
): Promise<PoolBefore> {
  if (startBlock <= from) return { poolBefore: undefined, lookedAtAll: true }
  const read = (first: number, last: number) =>
    ask(
      node,
      async () => {
        const filter = { address: factory, topics: [poolCreatedTopic], fromBlock: toHex(first), toBlock: toHex(last) }
        const logs = (await node.chain.forward('eth_getLogs', [filter])) as { blockNumber: string }[] | null
        return logs?.[0] && Number(logs[0].blockNumber)
      },
      visit,
    )

  const all = await read(from, startBlock - 1)
  if (all.kind === 'answer') return { poolBefore: all.value, lookedAtAll: true }
  const width = visit.patient.network.chain.logRangeMax ?? rangeWantedDefault
  let last = startBlock - 1
  for (let range = 0; range < rangesMax && last >= from && !visit.signal.aborted; range += 1) {
    const first = Math.max(from, last - width + 1)
    const answer = await read(first, last)
    if (answer.kind !== 'answer') break
    if (answer.value !== undefined) return { poolBefore: answer.value, lookedAtAll: false }
    last = first - 1
  }
  return { poolBefore: undefined, lookedAtAll: last < from }
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`
}
