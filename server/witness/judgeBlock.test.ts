import { type Address, Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { insertBlocks } from '../store/blocks.ts'
import { setCursor } from '../store/syncCursor.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { findHole } from './findHole.ts'
import { judgeBlock } from './judgeBlock.ts'
import { createReceiptTraits } from './proof/receiptTraits.ts'

const stores = createTempStores()
const factory = '0x00000000000000000000000000000000000000fa' as Address
const word = (digits: string) => `0x${digits.padStart(64, '0')}` as const
const header = { number: 5, hash: word('5'), parentHash: word('4'), timestampSeconds: 1_700_000_000 } as const
const raw = { number: '0x5', hash: word('5'), parentHash: word('4'), timestamp: '0x6553f100' }

const failing = (error: Error): Chain => {
  const node: Partial<Chain> = {
    forward: () => Promise.reject(error),
    readHeader: async () => header,
    readRange: async () => ({ headers: [header], logs: [] }),
  }
  return node as Chain
}

async function open(node: Chain) {
  const store = await stores.openNew('sqlite')
  const nothing = { decode: () => undefined, decodeCreation: () => undefined, wants: () => true }
  return { ...nothing, receipts: createReceiptTraits(), nodes: [node], store, read: store.read, topics: [], factory }
}

const judge = async (node: Chain) => judgeBlock(await open(node), 5, () => undefined)
const find = async (node: Chain) => findHole(await open(node), { pool: factory, fromBlock: 5, toBlock: 5 })

describe.each([
  ['judging a block', judge],
  ['looking for a hole', find],
] as const)('%s', (_name, work) => {
  it.each([
    new Failure('rpc-refused', 'The method eth_getBlockReceipts does not exist', { detail: { code: -32601 }, retryable: true }),
    new Failure('rpc-unavailable', 'The node is not responding', { retryable: true }),
  ])('takes a node that says "$message" as one without receipts', async (error) => {
    expect(await work(failing(error))).toBe(undefined)
  })

  it.each([
    new TypeError('Cannot read properties of undefined'),
    new Failure('store-unavailable', 'The database is not responding', { retryable: true }),
  ])('takes "$message" as what it is: no word of a node', async (error) => {
    await expect(work(failing(error))).rejects.toBe(error)
  })
})

describe('a block of which the index has the hash that a node once made up', () => {
  const made = { number: 5, hash: '0xfa15e', timestampSeconds: 1_700_000_000 } as const
  const last = { number: 6, hash: word('6'), timestampSeconds: 1_700_000_002 } as const
  const withTop = (hash: `0x${string}`, { transactions = [] as string[], again = raw.hash as `0x${string}` } = {}): Chain => {
    const node: Partial<Chain> = {
      forward: async (method) => (method === 'eth_getBlockByNumber' ? { ...raw, transactions } : []),
      readHeader: async (number) => ({ ...header, ...last, parentHash: word('5'), number, hash: number === 5 ? again : hash }),
    }
    return node as Chain
  }
  const judgeUnder = async (node: Chain) => {
    const deps = await open(node)
    await deps.store.write(async (tx) => {
      await setCursor(tx, { identity: 'it', block: last })
      await insertBlocks(tx, [made, last])
    })
    return judgeBlock(deps, 5, () => undefined)
  }

  it('is judged by a node that has the last block of the index above it', async () => {
    expect(await judgeUnder(withTop(word('6')))).toMatchObject({ lines: new Map(), backing: { isProven: false } })
  })

  it('is not by a node that was led to another chain for a moment', async () => {
    expect(await judgeUnder(withTop(word('6'), { again: made.hash }))).toBe(undefined)
  })

  it('is not by a node that has forgotten the receipts of its transactions', async () => {
    expect(await judgeUnder(withTop(word('6'), { transactions: [word('70')] }))).toBe(undefined)
  })

  it('is not by a node on another branch', async () => {
    expect(await judgeUnder(withTop(word('7')))).toBe(undefined)
  })
})
