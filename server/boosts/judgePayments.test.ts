import type { Address, Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { Chain, ChainLog } from '../chain/chain.ts'
import { boostTopics } from './decodeBoostLogs.ts'
import { judgePayments } from './judgePayments.ts'

const contract = `0x${'b0'.repeat(20)}` as Address
const hash = `0x${'07'.repeat(32)}` as Hex
const header = { number: 7, hash, parentHash: hash, timestampSeconds: 900 }

function logOf(logIndex: number): ChainLog {
  const place = { blockNumber: 7, blockHash: hash, logIndex, txHash: hash, timestampSeconds: 0 }
  return { ...place, address: contract, topics: [boostTopics[0] as Hex], data: '0x' }
}

/** @param answers of each node: the places of its logs, and whether its receipts prove themselves */
async function judge(...answers: (readonly [places: readonly number[], isProven: boolean])[]) {
  const nodes = answers.map(() => ({ readHeader: async () => header }) as unknown as Chain)
  const readReceipts = async (node: Chain) => {
    const [places, isProven] = answers[nodes.indexOf(node)] ?? [[], false]
    return { logs: places.map(logOf), isProven }
  }
  const logs = await judgePayments({ nodes, contract, readReceipts }, 7, { number: 7, hash })
  return logs?.map(({ logIndex, timestampSeconds }) => [logIndex, timestampSeconds])
}

it('most receipts decide about payments, unless some prove themselves', async () => {
  expect(await judge([[1], false], [[1], false], [[1, 2], false])).toEqual([[1, 900]])
  expect(await judge([[1], false], [[1], false], [[1, 2], true])).toEqual([
    [1, 900],
    [2, 900],
  ])
  expect(await judge([[1], false], [[2], false])).toBe(undefined)
  // Of no payment, too: what others made up does not count.
  expect(await judge([[1], false], [[1], false], [[], true])).toEqual([])
})
