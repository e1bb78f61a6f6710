import type { Address, Hex } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import type { RpcNode } from './rpcNode.ts'
import { createNodeChain } from './viemChain.ts'

const topic: Hex = `0x${'aa'.repeat(32)}`
const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
const quantity = (number: number): Hex => `0x${number.toString(16)}`

type Answers = {
  readonly header?: (number: number) => unknown
  readonly logs?: (filter: Record<string, unknown>) => unknown
  readonly chainId?: unknown
}

const header = (number: number) => ({
  number: quantity(number),
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  timestamp: quantity(1_700_000_000 + number),
})

const log = (block: number, index: number) => ({
  address: `0x${'33'.repeat(20)}`,
  topics: [topic],
  data: `0x${'00'.repeat(32)}`,
  blockNumber: quantity(block),
  blockHash: hashOf(block),
  logIndex: quantity(index),
  transactionHash: `0x${'77'.repeat(32)}`,
  removed: false,
})

/** A node of blocks 1 to 9 with two logs in each; `asked` collects the methods and filters. */
function nodeOf(answers: Answers, asked: unknown[] = []): RpcNode {
  const honestLogs = ({ blockHash, fromBlock, toBlock }: Record<string, unknown>) => {
    const [from, to] = blockHash ? [Number(blockHash), Number(blockHash)] : [Number(fromBlock), Number(toBlock)]
    return Array.from({ length: to - from + 1 }, (_, i) => [log(from + i, 0), log(from + i, 1)]).flat()
  }
  return {
    request: async (method, params) => {
      const [first] = params as [never]
      asked.push(first)
      if (method === 'eth_chainId') return answers.chainId
      if (method === 'eth_getLogs') return (answers.logs ?? honestLogs)(first)
      const number = first === 'latest' ? 9 : Number(first)
      return (answers.header ?? header)(number)
    },
  }
}

const settled = { from: 3, to: 5, topics: [topic], everyHeader: false }
const nearHead = { ...settled, everyHeader: true }

describe('a node whose logs state a wrong time', () => {
  const timed = (block: number, seconds: number) => ({ ...log(block, 0), blockTimestamp: quantity(1_700_000_000 + seconds) })
  const answer = (wrong: (block: number) => boolean) => () =>
    Array.from({ length: 1_000 }, (_, i) => timed(1_000 + i, wrong(1_000 + i) ? 1_000 : 1_000 + i))
  const wide = { ...settled, from: 1_000, to: 1_999 }

  it('in half of a wide range is believed about none of them', async () => {
    const chain = createNodeChain([nodeOf({ logs: answer((block) => block < 1_500) })])
    const { logs } = await chain.readRange(wide)
    expect(logs.filter(({ blockNumber, timestampSeconds }) => timestampSeconds !== 1_700_000_000 + blockNumber)).toEqual([])
  })

  it('is found for at most eight headers', async () => {
    const asked: unknown[] = []
    await createNodeChain([nodeOf({ logs: answer(() => false) }, asked)]).readRange(wide)
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.length).toBeLessThanOrEqual(1 + 2 + 8)
  })
})

describe('a node whose logs have no time', () => {
  it('gives the time of every block of a wide range, for a few headers', async () => {
    const asked: unknown[] = []
    const chain = createNodeChain([nodeOf({}, asked)])
    const { logs } = await chain.readRange({ ...settled, from: 1_000, to: 1_999 })
    expect(logs).toHaveLength(2_000)
    expect(logs.filter(({ blockNumber, timestampSeconds }) => timestampSeconds !== 1_700_000_000 + blockNumber)).toEqual([])
    expect(asked).toHaveLength(1 + 2 + 64)
    await chain.readRange({ ...settled, from: 2_000, to: 2_999 })
    expect(asked).toHaveLength(67 + 3)
  })
})

describe('times that cannot be true are a failure of the node', () => {
  const at = (number: number, seconds: number) => ({ ...header(number), timestamp: quantity(1_700_000_000 + seconds) })
  const logsAt = (...seconds: readonly number[]) =>
    seconds.map((after, i) => ({ ...log(3 + i, 0), blockTimestamp: quantity(1_700_000_000 + after) }))

  it.each([true, false])('a block that was made before its parent (every header: %s)', async (everyHeader) => {
    const chain = createNodeChain([nodeOf({ header: (number) => at(number, number === 5 ? 2 : number) })])
    const text = /dates block 5 at 1700000002, before block [34] \(170000000[34]\)/
    const message = expect.stringMatching(text)
    await expect(chain.readRange({ ...settled, everyHeader })).rejects.toMatchObject({ code: 'rpc-invalid', message })
  })

  it('logs of a wide range that are earlier than its first block, later than its last, or not in order', async () => {
    const read = (...seconds: readonly number[]) => {
      // Of a node that limits the rate, four headers are compared, and here are five blocks.
      const node = { ...nodeOf({ logs: () => logsAt(...seconds) }), isLimited: () => true }
      return createNodeChain([node]).readRange({ ...settled, to: 9 })
    }
    const message = (text: string) => ({ code: 'rpc-invalid', message: expect.stringContaining(text) })
    expect((await read(3, 4, 4, 4, 7, 8, 9)).logs.map(({ timestampSeconds }) => timestampSeconds - 1_700_000_000)).toEqual([
      3, 4, 4, 4, 7, 8, 9,
    ])
    await expect(read(3, 2, 5, 6, 7, 8, 9)).rejects.toMatchObject(message('dates block 4 at 1700000002, before block 3'))
    await expect(read(3, 4, 5, 6, 7, 10, 9)).rejects.toMatchObject(message('dates block 9 at 1700000009, before block 8'))
    await expect(read(3, 6, 5, 6, 7, 8, 9)).rejects.toMatchObject(message('dates block 5 at 1700000005, before block 4'))
  })

  it('logs of one block at two times', async () => {
    const logs = [...logsAt(3, 4, 5, 6, 7, 8, 9), { ...log(5, 1), blockTimestamp: quantity(1_700_000_006) }]
    const chain = createNodeChain([{ ...nodeOf({ logs: () => logs }), isLimited: () => true }])
    await expect(chain.readRange({ ...settled, to: 9 })).rejects.toMatchObject({ code: 'rpc-invalid' })
  })
})

describe('an answer of a node that cannot be true is a failure of the node', () => {
  const { transactionHash: _, ...withoutHash } = log(4, 0)
  it.each<[string, unknown, string]>([
    ['data that is not hexadecimal', [{ ...log(4, 0), data: '0xzz' }], 'wrong data: found "0xzz", expected whole bytes'],
    ['half a byte', [{ ...log(4, 0), data: '0x123' }], 'wrong data: found "0x123"'],
    ['no topics', [{ ...log(4, 0), topics: undefined }], 'wrong topics: found nothing'],
    ['a topic cut short', [{ ...log(4, 0), topics: ['0x12'] }], 'wrong topics: found a list'],
    ['an address cut short', [{ ...log(4, 0), address: '0x33' }], 'wrong address: found "0x33"'],
    ['a block that is no number', [{ ...log(4, 0), blockNumber: 'four' }], 'wrong blockNumber: found "four"'],
    ['a log of a pending block', [{ ...log(4, 0), blockHash: null }], 'wrong blockHash: found null'],
    ['no transaction', [withoutHash], 'wrong transactionHash: found nothing'],
    ['null instead of a log', [null], 'no log: found null'],
    ['no list', { logs: [] }, 'no list of logs'],
    ['a log twice', [log(4, 0), log(4, 1), log(4, 0)], 'log 0 of block 4 twice'],
    ['a log below the range', [log(2, 0)], 'log 0 of block 2, but the server asked for blocks 3 to 5'],
    ['a log above the range', [log(6, 0)], 'log 0 of block 6, but the server asked for blocks 3 to 5'],
    ['a log of another topic', [{ ...log(4, 0), topics: [`0x${'bb'.repeat(32)}`] }], 'does not match the filter'],
    ['a log that it calls removed', [log(4, 0), { ...log(4, 1), removed: true }], 'log 1 of block 4 as removed'],
  ])('%s', async (_name, logs, message) => {
    const chain = createNodeChain([nodeOf({ logs: () => logs })])
    await expect(chain.readRange(settled)).rejects.toMatchObject({ code: 'rpc-invalid', retryable: true })
    await expect(chain.readRange(settled)).rejects.toThrow(message)
  })

  it('a log of another contract than the one asked for', async () => {
    const chain = createNodeChain([nodeOf({})])
    const address = `0x${'44'.repeat(20)}` as Address
    await expect(chain.readRange({ ...settled, address })).rejects.toMatchObject({ code: 'rpc-invalid' })
  })

  it.each<[string, object, string]>([
    ['another block than asked for', { number: '0x8' }, 'returned block 8 instead of block 3'],
    ['a hash cut short', { hash: '0x12' }, 'wrong hash: found "0x12"'],
    ['no parent', { parentHash: undefined }, 'wrong parentHash: found nothing'],
    ['the time 0', { timestamp: '0x0' }, 'dates block 3 at 0'],
    ['a time that is no number', { timestamp: 'now' }, 'wrong timestamp: found "now"'],
  ])('a header with %s', async (_name, wrong, message) => {
    const chain = createNodeChain([nodeOf({ header: (number) => ({ ...header(number), ...wrong }) })])
    await expect(chain.readHeader(3)).rejects.toMatchObject({ code: 'rpc-invalid', retryable: true })
    await expect(chain.readHeader(3)).rejects.toThrow(message)
  })

  it('a chain id that is no number: not another chain', async () => {
    for (const chainId of ['chain', null, 31_337])
      await expect(createNodeChain([nodeOf({ chainId })]).readChainId()).rejects.toMatchObject({ code: 'rpc-invalid' })
    expect(await createNodeChain([nodeOf({ chainId: '0x7a69' })]).readChainId()).toBe(31_337)
  })

  it('and logs out of order are put in order', async () => {
    const chain = createNodeChain([nodeOf({ logs: () => [log(5, 0), log(3, 1), log(3, 0)] })])
    const { logs } = await chain.readRange(settled)
    expect(logs.map(({ blockNumber, logIndex }) => [blockNumber, logIndex])).toEqual([
      [3, 0],
      [3, 1],
      [5, 0],
    ])
  })
})

describe('near the head logs are read by the hash of their block', () => {
  const hashes = [3, 4, 5].map((number) => ({ blockHash: hashOf(number), topics: [[topic]] }))
  const unknownBlock = Object.assign(new Error('unknown block'), { code: -32_000 })

  it('one call a block, and a wide settled range with one call', async () => {
    const asked: unknown[] = []
    const chain = createNodeChain([nodeOf({}, asked)])
    const near = await chain.readRange(nearHead)
    expect(asked).toEqual(['0x3', '0x4', '0x5', ...hashes])
    asked.length = 0
    expect((await chain.readRange(settled)).logs).toEqual(near.logs)
    expect(asked).toEqual([{ fromBlock: '0x3', toBlock: '0x5', topics: [[topic]] }, '0x3', '0x5', '0x4'])
  })

  it('a balancer whose other node lacks the block fails: its emptiness is not believed', async () => {
    const logs = (filter: Record<string, unknown>) => {
      if (filter['blockHash'] === hashOf(5)) throw unknownBlock
      return []
    }
    await expect(createNodeChain([nodeOf({ logs })]).readRange(nearHead)).rejects.toMatchObject({ retryable: true })
  })

  it('a log of another version of the block is refused', async () => {
    const logs = () => [{ ...log(3, 0), blockHash: hashOf(99) }]
    await expect(createNodeChain([nodeOf({ logs })]).readRange({ ...nearHead, to: 3 })).rejects.toMatchObject({
      code: 'rpc-invalid',
    })
  })
})

describe('on a real node', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startShortDevnet()
  })
  afterAll(() => devnet.stop())

  it('both ways of asking give the same logs, and headers come with their bloom', async () => {
    const { createViemChain } = await import('./viemChain.ts')
    const chain = createViemChain([devnet.rpcUrl])
    const { number: to } = await chain.readHead()
    const topics = [...new Set(await allTopics(devnet, to))] as Hex[]
    const range = { from: Math.max(0, to - 40), to, topics }
    const [near, far] = [
      await chain.readRange({ ...range, everyHeader: true }),
      await chain.readRange({ ...range, everyHeader: false }),
    ]
    expect(near.logs.length).toBeGreaterThan(20)
    expect(near.logs).toEqual(far.logs)
    expect(near.headers.every(({ logsBloom }) => logsBloom?.length === 514)).toBe(true)
  })
})

async function allTopics(devnet: Devnet, to: number): Promise<string[]> {
  const logs = await devnet.rpc<{ topics: string[] }[]>('eth_getLogs', [{ fromBlock: '0x0', toBlock: quantity(to) }])
  return logs.map(({ topics }) => topics[0] as string)
}
