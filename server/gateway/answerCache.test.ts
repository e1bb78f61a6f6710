import { beforeEach, describe, expect, it } from 'vitest'
import { createAnswerCache, keyOf } from './answerCache.ts'

const hash = `0x${'ab'.repeat(32)}`
const clock = { nowMs: 1_000_000 }
const chain: { head: number | undefined } = { head: 1_000 }

/** A cache of a chain whose blocks do not change any more 64 blocks behind the head. */
function open() {
  const cache = createAnswerCache({ head: () => chain.head, settledDepth: 64, nowMs: () => clock.nowMs })
  const keep = (method: string, params: unknown, result: unknown, json = JSON.stringify(result)) => {
    cache.keep(keyOf(method, params), { method, params }, result, { json })
    return cache.find(keyOf(method, params))?.json
  }
  return { cache, keep }
}

beforeEach(() => {
  clock.nowMs = 1_000_000
  chain.head = 1_000
})

// Block 936 is 0x3a8, 937 is 0x3a9.
const settled = '0x3a8'
const recent = '0x3a9'

describe('an answer of the node', () => {
  it.each<[string, unknown, (block: string) => unknown]>([
    ['eth_getBlockByHash', [hash, false], (number) => ({ number })],
    ['eth_getTransactionByHash', [hash], (blockNumber) => ({ blockNumber })],
    ['eth_getTransactionReceipt', [hash], (blockNumber) => ({ blockNumber })],
  ])('to %s is kept where its block is settled', (method, params, resultOf) => {
    const { keep } = open()
    expect(keep(method, params, resultOf(settled))).toBe(JSON.stringify(resultOf(settled)))
    expect(open().keep(method, params, resultOf(recent))).toBeUndefined()
  })

  it('of a block by its number is kept, by a name never', () => {
    const { keep } = open()
    expect(keep('eth_getBlockByNumber', [settled, true], { number: settled })).toBeDefined()
    // The node calls an old block its newest: the name is another block soon.
    for (const name of ['latest', 'pending', 'safe', 'finalized', 'earliest'])
      expect(keep('eth_getBlockByNumber', [name, true], { number: settled })).toBeUndefined()
  })

  it('of a block that the node does not say is not kept, whatever number was asked for', () => {
    const { keep } = open()
    // A node that is behind says null: it may have the block in a moment.
    expect(keep('eth_getBlockByNumber', [settled, false], null)).toBeUndefined()
    expect(keep('eth_getBlockByNumber', [settled, false], { number: recent })).toBeUndefined()
    expect(keep('eth_getTransactionReceipt', [hash], null)).toBeUndefined()
    expect(keep('eth_getTransactionByHash', [hash], { blockNumber: null })).toBeUndefined()
  })

  it('with logs is kept by the end that was asked for', () => {
    const { keep } = open()
    expect(keep('eth_getLogs', [{ fromBlock: '0x1', toBlock: settled }], [])).toBe('[]')
    expect(keep('eth_getLogs', [{ fromBlock: '0x1', toBlock: recent }], [])).toBeUndefined()
    expect(keep('eth_getLogs', [{ fromBlock: '0x1', toBlock: 'latest' }], [])).toBeUndefined()
    expect(keep('eth_getLogs', [{ fromBlock: '0x1' }], [])).toBeUndefined()
    expect(keep('eth_getLogs', [], [])).toBeUndefined()
    expect(keep('eth_getLogs', { toBlock: settled }, [])).toBeUndefined()
  })

  it.each(['eth_call', 'eth_getBalance', 'eth_gasPrice', 'eth_blockNumber', 'eth_sendRawTransaction'])(
    'to %s is never kept',
    (method) => {
      expect(open().keep(method, [{ to: hash }, settled], '0x1')).toBeUndefined()
    },
  )

  it('names the chain at any time, all others only while the head is known', () => {
    chain.head = undefined
    const { keep } = open()
    expect(keep('eth_chainId', [], '0x7a69')).toBe('"0x7a69"')
    expect(keep('net_version', [], '31337')).toBe('"31337"')
    expect(keep('eth_getBlockByHash', [hash, false], { number: '0x1' })).toBeUndefined()
  })

  it('is forgotten after ten minutes, and when the chain changes its past', () => {
    const { cache, keep } = open()
    const key = keyOf('eth_chainId', [])
    keep('eth_chainId', [], '0x7a69')
    clock.nowMs = 1_600_000
    expect(cache.find(key)).toBeDefined()
    clock.nowMs = 1_600_001
    expect(cache.find(key)).toBeUndefined()
    keep('eth_chainId', [], '0x7a69')
    cache.clear()
    expect(cache.find(key)).toBeUndefined()
  })

  it('is for equal calls only', () => {
    const { cache, keep } = open()
    keep('eth_getBlockByNumber', [settled, true], { number: settled })
    expect(cache.find(keyOf('eth_getBlockByNumber', [settled, false]))).toBeUndefined()
    expect(cache.find(keyOf('eth_getBlockByHash', [settled, true]))).toBeUndefined()
  })

  it('is not kept where it is long, and the oldest go where there are many', () => {
    const { cache, keep } = open()
    const long = 'x'.repeat(512 * 1024)
    expect(keep('eth_getLogs', [{ toBlock: settled }], [], long)).toBeUndefined()
    for (let i = 0; i < 5_001; i += 1) keep('eth_getLogs', [{ toBlock: settled, i }], [])
    expect(cache.find(keyOf('eth_getLogs', [{ toBlock: settled, i: 0 }]))).toBeUndefined()
    expect(cache.find(keyOf('eth_getLogs', [{ toBlock: settled, i: 1 }]))).toBeDefined()
    // 40 of half a megabyte are more than 16 MB: they push the others out.
    const half = 'x'.repeat(500 * 1024)
    for (let i = 0; i < 40; i += 1) keep('eth_getLogs', [{ toBlock: settled, half: i }], [], half)
    expect(cache.find(keyOf('eth_getLogs', [{ toBlock: settled, half: 0 }]))).toBeUndefined()
    expect(cache.find(keyOf('eth_getLogs', [{ toBlock: settled, half: 39 }]))).toBeDefined()
  })
})
