import { describe, expect, it } from 'vitest'
import type { Honest } from './faultProxy.ts'
import { forgetOld, seeBehind, seeFrozen, seeOtherChain } from './otherViews.ts'

const hashOf97 = `0x${'9'.repeat(62)}97`

/** A chain of 100 blocks: answers with what it was asked. */
const honest: Honest = async (method, params) => {
  if (method === 'eth_blockNumber') return '0x64'
  if (method === 'eth_getBlockByHash') return { number: '0x61', hash: hashOf97 }
  if (method === 'eth_getBlockByNumber') return { number: params[0], hash: hashOf97, parentHash: hashOf97 }
  return { method, params }
}

const call = (method: string, ...params: unknown[]) => ({ id: 1, method, params })

describe('a node that ends 5 blocks early', () => {
  const behind = seeBehind(() => 5)

  it('has block 95 as its newest', async () => {
    expect(await behind(call('eth_getBlockByNumber', 'latest', false), honest)).toMatchObject({ number: '0x5f' })
    expect(await behind(call('eth_blockNumber'), honest)).toBe('0x5f')
  })

  it('knows nothing of a later block', async () => {
    expect(await behind(call('eth_getBlockByNumber', '0x60', false), honest)).toBeNull()
    await expect(behind(call('eth_getLogs', { blockHash: hashOf97 }), honest)).rejects.toThrow('unknown block')
    await expect(behind(call('eth_call', {}, { blockHash: hashOf97 }), honest)).rejects.toThrow('header not found')
  })

  it('answers a range with what it has of it, and one that it lacks with an empty list', async () => {
    const cut = await behind(call('eth_getLogs', { fromBlock: '0x5a', toBlock: '0x64' }), honest)
    expect(cut).toEqual({ method: 'eth_getLogs', params: [{ fromBlock: '0x5a', toBlock: '0x5f' }] })
    expect(await behind(call('eth_getLogs', { fromBlock: '0x60', toBlock: '0x64' }), honest)).toEqual([])
  })
})

it('a frozen node has forever the newest block that it had when it was first asked', async () => {
  const frozen = seeFrozen()
  const at = (head: string) => frozen(call('eth_blockNumber'), async () => head)
  expect(await at('0x64')).toBe('0x64')
  expect(await at('0x70')).toBe('0x64')
})

it('another chain has another id and other hashes, which link, and none of our logs', async () => {
  const other = seeOtherChain(8453)
  expect(await other(call('eth_chainId'), honest)).toBe('0x2105')
  expect(await other(call('eth_getLogs', {}), honest)).toEqual([])
  const otherHash = `0x${'9'.repeat(62)}68`
  expect(await other(call('eth_getBlockByNumber', '0x1', false), honest)).toMatchObject({
    hash: otherHash,
    parentHash: otherHash,
  })
})

it('a pruned node answers for old blocks as if they had no logs and no receipts', async () => {
  const [old, fresh] = [{ blockNumber: '0x50' }, { blockNumber: '0x51' }]
  const pruned = (method: string, result: unknown) =>
    forgetOld(20)(call(method), async (asked) => (asked === 'eth_blockNumber' ? '0x64' : result))
  expect(await pruned('eth_getLogs', [old, fresh])).toEqual([fresh])
  expect(await pruned('eth_getBlockReceipts', [old])).toEqual([])
  expect(await pruned('eth_getTransactionReceipt', old)).toBeNull()
  expect(await pruned('eth_getBlockByNumber', old)).toEqual(old)
})
