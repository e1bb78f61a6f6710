import { type Address, Failure } from '@chainboard/core'
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { gatherCalls } from './gatherCalls.ts'

const multicall: Address = `0x${'ca'.repeat(20)}`
const [one, two]: readonly [Address, Address] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`]
const abi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Answer { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Answer[] answers)',
])

type Asked = { readonly to: Address; readonly data: Hex }

/** A node with a Multicall3. A contract answers with what it was asked with; `0xdead` reverts. */
function open() {
  const calls: [method: string, params: unknown][] = []
  const answer = ({ to, data }: Asked): Hex => {
    if (data === '0xdead') throw new Failure('rpc-refused', 'execution reverted', { detail: { code: 3 } })
    if (to !== multicall) return data
    const { args } = decodeFunctionData({ abi, data })
    const result = args[0].map(({ callData }) => ({ success: callData !== '0xdead', returnData: callData }))
    return encodeFunctionResult({ abi, functionName: 'aggregate3', result })
  }
  const state = { isDown: false }
  const node = gatherCalls(
    {
      forward: async (method, params) => {
        calls.push([method, params])
        if (state.isDown) throw new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })
        if (method !== 'eth_call') return `answer to ${method}`
        const [call] = params as readonly [Asked]
        return answer(call)
      },
    },
    multicall,
  )
  const ask = (to: Address, data: Hex, block: unknown = 'latest') => node.forward('eth_call', [{ to, data }, block])
  return { calls, node, ask, state }
}

describe('questions to contracts', () => {
  it('of one moment travel in one call, and each gets its own answer', async () => {
    const { calls, ask } = open()
    expect(await Promise.all([ask(one, '0x01'), ask(two, '0x02'), ask(one, '0x03')])).toEqual(['0x01', '0x02', '0x03'])
    expect(calls).toHaveLength(1)
    expect(await ask(one, '0x04')).toBe('0x04')
    expect(calls).toHaveLength(2)
  })

  it('that revert fail as a node would say it, and no other one with them', async () => {
    const { ask } = open()
    const [good, bad] = await Promise.allSettled([ask(one, '0x01'), ask(two, '0xdead')])
    expect(good).toEqual({ status: 'fulfilled', value: '0x01' })
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'rpc-refused', detail: { code: 3 } } })
  })

  it('fail together when the node does not answer, and the next ones are asked again', async () => {
    const { ask, state } = open()
    state.isDown = true
    const results = await Promise.allSettled([ask(one, '0x01'), ask(two, '0x02')])
    expect(results.map((each) => each.status === 'rejected' && (each.reason as Failure).code)).toEqual([
      'rpc-unavailable',
      'rpc-unavailable',
    ])
    state.isDown = false
    expect(await ask(one, '0x03')).toBe('0x03')
  })

  it('of another block, and other calls, go to the node as they are', async () => {
    const { calls, node, ask } = open()
    expect(await ask(one, '0x01', '0x7')).toBe('0x01')
    expect(await node.forward('eth_chainId', [])).toBe('answer to eth_chainId')
    await node.forward('eth_call', [{ to: 'nobody', data: '0x01' }, 'latest'])
    expect(calls.map(([method]) => method)).toEqual(['eth_call', 'eth_chainId', 'eth_call'])
    expect(calls[0]?.[1]).toEqual([{ to: one, data: '0x01' }, '0x7'])
  })
})
