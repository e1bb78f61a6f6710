import { type Address, Failure, type Hex } from '@chainboard/core'
import { decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { boostContract } from '../testing/fakeBoosts.ts'
import { readBoostStatus } from './readBoostStatus.ts'

const abi = parseAbi([
  'function getBatchBoostStatus(address[] tokens) view returns (bool[] boosted, uint256[] expirations)',
  'function paused() view returns (bool)',
])
const addressOf = (place: number): Address => `0x${place.toString(16).padStart(40, '0')}`

type Status = { readonly boosted: readonly boolean[]; readonly ends: readonly bigint[] }
type Contract = { readonly paused?: unknown; readonly status?: (tokens: readonly Hex[]) => Status | string }

/** A node that runs a contract which answers like this. */
function nodeWith({ paused = false, status }: Contract) {
  const asked: { readonly tokens: number; readonly block: unknown }[] = []
  const forward = async (_method: string, params: unknown) => {
    const [{ data }, block] = params as [{ to: Address; data: Hex }, unknown]
    const call = decodeFunctionData({ abi, data })
    if (call.functionName === 'paused')
      return typeof paused === 'boolean' ? encodeFunctionResult({ abi, functionName: 'paused', result: paused }) : paused
    const [tokens] = call.args
    asked.push({ tokens: tokens.length, block })
    const answer = status?.(tokens) ?? { boosted: tokens.map(() => false), ends: tokens.map(() => 0n) }
    if (typeof answer === 'string') return answer
    return encodeFunctionResult({ abi, functionName: 'getBatchBoostStatus', result: [[...answer.boosted], [...answer.ends]] })
  }
  return { asked, forward }
}

const read = (node: ReturnType<typeof nodeWith>, count = 3) =>
  readBoostStatus(node, { contract: boostContract, tokens: Array.from({ length: count }, (_, i) => addressOf(i + 1)), block: 26 })

describe('boosts as the contract says at a block', () => {
  it('are those it calls boosted, the latest end first, whatever ends it names of others', async () => {
    const node = nodeWith({ paused: true, status: () => ({ boosted: [true, false, true], ends: [100n, 900n, 300n] }) })
    const { expirations, paused } = await read(node)
    expect([...expirations]).toEqual([
      [addressOf(3), 300],
      [addressOf(1), 100],
    ])
    expect(paused).toBe(true)
  })

  it('are asked for 500 tokens at a time, all at the same block', async () => {
    const node = nodeWith({})
    await read(node, 1_001)
    expect(node.asked).toEqual([500, 500, 1].map((tokens) => ({ tokens, block: '0x1a' })))
  })

  it('of the second 500 are of the second answer', async () => {
    const node = nodeWith({
      status: (tokens) => ({ boosted: tokens.map((_, i) => i === 0), ends: tokens.map((each) => BigInt(each)) }),
    })
    expect([...(await read(node, 501)).expirations.keys()]).toEqual([addressOf(501), addressOf(1)])
  })

  it.each<[string, Contract]>([
    ['nothing, where there is no contract', { status: () => '0x' }],
    ['something that is no list', { status: () => `0x${'ff'.repeat(64)}` }],
    ['about fewer tokens than it was asked', { status: () => ({ boosted: [true], ends: [5n, 5n, 5n] }) }],
    ['more ends than tokens', { status: () => ({ boosted: [true, true, true], ends: [5n, 5n, 5n, 5n] }) }],
    ['nothing about being paused', { paused: '0x' }],
  ])('are unknown, not none, when it answers %s', async (_name, contract) => {
    await expect(read(nodeWith(contract))).rejects.toMatchObject({
      code: 'rpc-refused',
      message: 'The boost contract did not return its boosts',
      retryable: true,
    })
  })

  it('are unknown for the reason that the node gives, when that does not answer', async () => {
    const away = new Failure('rpc-unavailable', 'away', { retryable: true })
    await expect(read({ asked: [], forward: () => Promise.reject(away) })).rejects.toBe(away)
  })
})
