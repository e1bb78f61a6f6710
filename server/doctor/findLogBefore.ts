import { type Address, fieldsOf, type Hex } from '@chainboard/core'
import { toEventSelector } from 'viem'
import { ask } from './ask.ts'
import type { Limits, UsableNode } from './doctorRun.ts'
import { rangeWantedDefault } from './judgeLogs.ts'

/** First topic of the event by which a factory tells of a new pool. */
export const poolCreatedTopic = toEventSelector('PoolCreated(address,address,uint24,int24,address)')
/** Ranges looked at when the node does not answer for all blocks at once. */
const rangesMax = 10

type LogQuestion = {
  readonly contract: Address
  readonly topic?: Hex
  readonly from: number
  readonly startBlock: number
  /** Of the ranges that are asked for when all at once is too much. */
  readonly width?: number | undefined
}

/** The block of the log, if one was seen. */
export type LogBefore = { readonly logBefore: number | undefined; readonly lookedAtAll: boolean }

/**
 * The first log of a contract from `from` to before `startBlock`: in one question where the node answers it, else in the last few
 * ranges before `startBlock`.
 * @param topic its first topic; absent: any
 */
export async function findLogBefore(
  limits: Limits,
  node: UsableNode,
  { contract, topic, from, startBlock, width = rangeWantedDefault }: LogQuestion,
): Promise<LogBefore> {
  if (startBlock <= from) return { logBefore: undefined, lookedAtAll: true }
  const read = (first: number, last: number) =>
    ask(
      node,
      async () => {
        const blocks = { fromBlock: toHex(first), toBlock: toHex(last) }
        const filter = { address: contract, ...blocks, ...(topic ? { topics: [topic] } : {}) }
        const logs = await node.chain.forward('eth_getLogs', [filter])
        return Array.isArray(logs) && logs.length > 0 ? Number(fieldsOf(logs[0])['blockNumber']) : undefined
      },
      limits,
    )

  const all = await read(from, startBlock - 1)
  if (all.kind === 'answer') return { logBefore: all.value, lookedAtAll: true }
  let last = startBlock - 1
  for (let range = 0; range < rangesMax && last >= from && !limits.signal.aborted; range += 1) {
    const first = Math.max(from, last - width + 1)
    const answer = await read(first, last)
    if (answer.kind !== 'answer') break
    if (answer.value !== undefined) return { logBefore: answer.value, lookedAtAll: false }
    last = first - 1
  }
  return { logBefore: undefined, lookedAtAll: last < from }
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`
}
