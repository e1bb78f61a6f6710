import { describe, expect, it } from 'vitest'
import { costAfter, costOf, kindOf, restAfter } from './costOf.ts'

const logs = (blocks: number) => [{ address: '0x1', fromBlock: '0x64', toBlock: `0x${(0x64 + blocks - 1).toString(16)}` }]

describe('a call of the gateway', () => {
  it.each([
    ['eth_chainId', [], 1],
    ['eth_blockNumber', undefined, 1],
    ['eth_call', [{}, 'latest'], 2],
    ['eth_call', [{}], 2],
    ['eth_estimateGas', [{}], 3],
    ['eth_getLogs', logs(1), 2],
    ['eth_getLogs', logs(499), 2],
    ['eth_getLogs', logs(1_000), 4],
    ['eth_getBlockByNumber', ['latest', false], 1],
    ['eth_getBlockByNumber', ['latest', true], 3],
    ['eth_getBlockByHash', ['0x12', true], 3],
    // The head is 10,000 = 0x2710; 128 blocks before it is 0x2690.
    ['eth_call', [{}, '0x2690'], 2],
    ['eth_call', [{}, '0x268f'], 10],
    ['eth_getBalance', ['0x1', '0x0'], 9],
    ['eth_getBalance', ['0x1', 'earliest'], 9],
    ['eth_getBalance', ['0x1', { blockNumber: '0x1' }], 9],
    ['eth_getBalance', ['0x1', { blockHash: '0x1' }], 9],
    // Some nodes take a hash for a block.
    ['eth_call', [{}, `0x${'ab'.repeat(32)}`], 10],
    ['eth_call', [{}, 'finalized'], 2],
    ['eth_call', [{}, null], 2],
    ['anything', { a: 1 }, 1],
  ])('%s %j costs %i', (method, params, units) => {
    expect(costOf(method, params, 10_000)).toBe(units)
  })

  it('is of no old state where the head is not known', () => {
    expect(costOf('eth_getBalance', ['0x1', '0x0'], undefined)).toBe(1)
  })

  it.each([
    [{ nodeMs: 50, usualMs: 0, chars: 100 }, 0],
    [{ nodeMs: 300, usualMs: 125, chars: 16_383 }, 0],
    [{ nodeMs: 300, usualMs: 0, chars: 16_384 }, 11],
    [{ nodeMs: 0, usualMs: 0, chars: 4 * 1024 * 1024 }, 256],
  ])('%j costs %i more afterwards', (facts, units) => {
    expect(costAfter(facts)).toBe(units)
  })

  it.each([
    ['code', { nodeMs: 25, usualMs: 10, chars: 0 }, 0, 0],
    ['code', { nodeMs: 20, usualMs: 1, chars: 0 }, 26, 0],
    ['code', { nodeMs: 300, usualMs: 100, chars: 40_960 }, 200, 110],
    ['logs', { nodeMs: 5_000, usualMs: 0, chars: 1024 * 1024 }, 256, 256],
    ['light', { nodeMs: 5_000, usualMs: 0, chars: 100 }, 0, 0],
    ['code', { nodeMs: 60_000, usualMs: 0, chars: 0 }, 10_000, 10_000],
  ] as const)('of %s with %j leaves its place empty for %i ms, and for %i ms for the modest', (kind, facts, ms, modestMs) => {
    expect(restAfter(kind, facts)).toEqual({ ms, modestMs })
  })

  it('runs code, looks through blocks, or is light', () => {
    const methods = ['eth_call', 'eth_estimateGas', 'eth_getLogs', 'eth_getBalance', 'eth_sendRawTransaction', 'constructor']
    expect(methods.map(kindOf)).toEqual(['code', 'code', 'logs', 'light', 'light', 'light'])
  })
})
