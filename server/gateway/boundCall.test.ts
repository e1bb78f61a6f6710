import { describe, expect, it } from 'vitest'
import { boundCall } from './boundCall.ts'

/** Lists within each other, `levels` deep. */
const nested = (levels: number): unknown => (levels === 0 ? '0x1' : [nested(levels - 1)])

describe('a call by a stranger', () => {
  it.each([
    ['eth_feeHistory', ['0x80', 'latest', [25, 75]]],
    ['eth_feeHistory', [128, 'latest', []]],
    ['eth_getBalance', nested(6)],
    ['eth_getLogs', [{ address: '0x1', fromBlock: '0x0', toBlock: '0x3e7' }]],
  ])('%s %j goes on as it is', (method, params) => {
    expect(boundCall(method, params)).toEqual({ params })
  })

  it.each([
    ['eth_feeHistory', ['0x81', 'latest', []], 'expected a number of blocks first, 128 at most'],
    ['eth_feeHistory', [129, 'latest', []], 'expected a number of blocks first, 128 at most'],
    ['eth_feeHistory', [null, 'latest', []], 'expected a number of blocks first, 128 at most'],
    ['eth_getBalance', nested(7), 'expected params nested 6 deep at most'],
    [
      'eth_getLogs',
      [{ address: '0x1', fromBlock: '0x0', toBlock: '0x3e8' }],
      'expected one address and fromBlock and toBlock as quantities, at most 1000 blocks',
    ],
    ['eth_call', [{}, 'latest', {}], 'found 3 params, expected the transaction and the block: state overrides are not allowed'],
  ])('%s %j is refused', (method, params, text) => {
    expect(boundCall(method, params)).toEqual({ refused: { code: -32_602, message: `${method}: ${text}` } })
  })

  it('that runs code has 30,000,000 gas at most, whatever it says', () => {
    expect(boundCall('eth_call', [{ to: '0x1', gas: '0x7fffffffffffffff' }, 'latest'])).toEqual({
      params: [{ to: '0x1', gas: '0x1c9c380' }, 'latest'],
    })
    expect(boundCall('eth_call', [{ to: '0x1', gas: '0x5208' }])).toEqual({ params: [{ to: '0x1', gas: '0x5208' }] })
  })
})
