import { type Address, Failure } from '@chainboard/core'
import { expect, it } from 'vitest'
import { readTransfers } from './readTransfers.ts'

const wallet = (byte: string) => `0x${byte.repeat(20)}` as Address
const word = (byte: string) => `0x${'0'.repeat(24)}${byte.repeat(20)}`
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const request = { tokens: [wallet('70')], origins: [wallet('aa'), wallet('bb')], fromBlock: 1, toBlock: 1_000, spanMax: 1_000 }
const handed = { address: wallet('70'), topics: [transfer, word('aa'), word('bb')], data: `0x${'0'.repeat(63)}1` }

type Filter = { fromBlock: string; toBlock: string; topics: unknown[]; address: unknown[] }

/** A node that answers so many blocks at most, and says which it was asked for. */
function nodeOf(blocksMax: number, logs: readonly object[] = []) {
  const asked: number[][] = []
  const forward = async (_: string, params: unknown) => {
    const [{ fromBlock, toBlock, topics, address }] = params as [Filter]
    asked.push([Number(fromBlock), Number(toBlock)])
    expect([address, topics]).toEqual([[wallet('70')], [transfer, [word('aa'), word('bb')], [word('aa'), word('bb')]]])
    if (Number(toBlock) - Number(fromBlock) + 1 > blocksMax)
      throw new Failure('rpc-range-too-wide', 'too wide', { retryable: true })
    return logs
  }
  return { asked, forward }
}

it('asks for fewer blocks at once when the node refuses so many', async () => {
  const node = nodeOf(500, [handed])
  // One unit in each of the two answers.
  expect(await readTransfers(node, request)).toEqual([
    { token: wallet('70'), from: wallet('aa'), to: wallet('bb'), amountRaw: 2n },
  ])
  expect(node.asked).toEqual([
    [1, 1_000],
    [1, 500],
    [501, 1_000],
  ])
})

it('gives up on a node that refuses 64 blocks, and on a day of more than 64 calls', async () => {
  await expect(readTransfers(nodeOf(10), request)).rejects.toMatchObject({ code: 'rpc-range-too-wide' })
  const node = nodeOf(10)
  await expect(readTransfers(node, { ...request, toBlock: 65 * 10, spanMax: 10 })).rejects.toMatchObject({
    code: 'rpc-range-too-wide',
  })
  expect(node.asked.length).toBe(64)
})

it('asks nothing about one wallet alone', async () => {
  const node = nodeOf(1_000)
  expect(await readTransfers(node, { ...request, origins: [wallet('aa')] })).toEqual([])
  expect(node.asked).toEqual([])
})

it.each([
  ['nothing handed on', { ...handed, data: `0x${'0'.repeat(64)}` }],
  ['a single thing, whose number is a topic', { ...handed, topics: [...handed.topics, word('01')], data: '0x' }],
  ['a transfer to oneself', { ...handed, topics: [transfer, word('aa'), word('aa')] }],
  ['no log at all', {}],
])('takes for no transfer: %s', async (_, log) => {
  expect(await readTransfers(nodeOf(1_000, [log]), request)).toEqual([])
})

it('takes no answer but a list', async () => {
  await expect(readTransfers({ forward: async () => null }, request)).rejects.toMatchObject({ code: 'rpc-invalid' })
})
