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
function nodeOf(blocksMax: number, logs: readonly object[] = [], refusal?: string) {
  const asked: number[][] = []
  const forward = async (_: string, params: unknown) => {
    const [{ fromBlock, toBlock, topics, address }] = params as [Filter]
    asked.push([Number(fromBlock), Number(toBlock)])
    expect([address, topics[0], topics[2]]).toEqual([[wallet('70')], transfer, [word('aa'), word('bb')]])
    if (asked.length === 1) expect(topics[1]).toEqual([word('aa'), word('bb')])
    if (Number(toBlock) - Number(fromBlock) + 1 > blocksMax)
      throw new Failure('rpc-range-too-wide', 'too wide', { retryable: true, ...(refusal ? { detail: { refusal } } : {}) })
    return logs
  }
  return { asked, forward }
}

it('asks for fewer blocks at once when the node refuses so many', async () => {
  const node = nodeOf(500, [handed])
  // One unit in each of the two answers.
  expect((await readTransfers(node, request)).handed).toEqual([
    { token: wallet('70'), from: wallet('aa'), to: wallet('bb'), amountRaw: 2n },
  ])
  expect(node.asked).toEqual([
    [1, 1_000],
    [1, 500],
    [501, 1_000],
  ])
})

it('asks for as few blocks as the node reads at all, down to one', async () => {
  const narrow = { ...request, toBlock: 3 }
  expect((await readTransfers(nodeOf(1, [handed], 'range-too-wide'), narrow)).handed).toMatchObject([{ amountRaw: 3n }])
})

it('gives up on a node that refuses 64 blocks of whatever wallet, and on a day of more than 128 calls', async () => {
  await expect(readTransfers(nodeOf(10), request)).rejects.toMatchObject({ code: 'rpc-range-too-wide' })
  const node = nodeOf(10)
  await expect(readTransfers(node, { ...request, toBlock: 129 * 10, spanMax: 10 })).rejects.toMatchObject({
    code: 'rpc-range-too-wide',
  })
  expect(node.asked.length).toBe(128)
})

/** A node that answers so many logs at most, of so many a block that each of these wallets made to the first one. */
function busyNode(logsMax: number, busy: readonly string[], perBlock: number) {
  const calls: unknown[] = []
  const forward = async (_: string, params: unknown) => {
    const [{ fromBlock, toBlock, topics }] = params as [Filter]
    calls.push(params)
    const blocks = Number(toBlock) - Number(fromBlock) + 1
    const from = topics[1] as string[]
    const quiet =
      from.includes(word('bb')) && Number(fromBlock) === 1 ? [{ ...handed, topics: [transfer, word('bb'), word('aa')] }] : []
    const logs = busy
      .filter((byte) => from.includes(word(byte)))
      .flatMap((byte) =>
        Array.from({ length: blocks * perBlock }, () => ({ ...handed, topics: [transfer, word(byte), word('aa')] })),
      )
    if (logs.length > logsMax) throw new Failure('rpc-range-too-wide', 'too many results', { retryable: true })
    return [...logs, ...quiet]
  }
  return { calls, forward }
}

it('leaves out a wallet that made more transfers than the node tells, and reads the others', async () => {
  const origins = ['aa', 'bb', 'cc', 'dd'].map(wallet)
  const node = busyNode(1_000, ['cc'], 100)
  const { handed: found, unread } = await readTransfers(node, { ...request, origins })
  expect(found).toEqual([{ token: wallet('70'), from: wallet('bb'), to: wallet('aa'), amountRaw: 1n }])
  expect([...unread]).toEqual([wallet('cc')])
  // Five until 64 blocks were asked for, four by wallets, and then with spans that grow again.
  expect(node.calls.length).toBe(13)
})

it('leaves out wallets that make it refuse together', async () => {
  const origins = ['aa', 'bb', 'cc', 'dd'].map(wallet)
  const { unread } = await readTransfers(busyNode(10_000, ['cc', 'dd'], 100), { ...request, origins })
  expect([...unread]).toEqual([wallet('cc'), wallet('dd')])
})

it('asks nothing about one wallet alone', async () => {
  const node = nodeOf(1_000)
  expect(await readTransfers(node, { ...request, origins: [wallet('aa')] })).toEqual({ handed: [], unread: new Set() })
  expect(node.asked).toEqual([])
})

it.each([
  ['nothing handed on', { ...handed, data: `0x${'0'.repeat(64)}` }],
  ['a single thing, whose number is a topic', { ...handed, topics: [...handed.topics, word('01')], data: '0x' }],
  ['a transfer to oneself', { ...handed, topics: [transfer, word('aa'), word('aa')] }],
  ['no log at all', {}],
])('takes for no transfer: %s', async (_, log) => {
  expect((await readTransfers(nodeOf(1_000, [log]), request)).handed).toEqual([])
})

it('takes no answer but a list', async () => {
  await expect(readTransfers({ forward: async () => null }, request)).rejects.toMatchObject({ code: 'rpc-invalid' })
})
