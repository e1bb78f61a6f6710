import { type Address, Failure } from '@chainboard/core'
import { expect, it } from 'vitest'
import { poolCreatedTopic } from '../doctor/findLogBefore.ts'
import { readPools } from './readPools.ts'

const factory: Address = `0x${'fa'.repeat(20)}`
const word = (hex: string) => `0x${hex.padStart(64, '0')}`

/** A node that is silent about more than 100 blocks at once, and does not know the pool that it tells of. */
async function forward(method: string, params: unknown): Promise<unknown> {
  if (method !== 'eth_getLogs') return '0x'
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
  if (Number(toBlock) - Number(fromBlock) >= 100) throw new Failure('rpc-unavailable', 'The node did not respond in time')
  if (Number(fromBlock) > 250 || Number(toBlock) < 250) return []
  const place = { blockNumber: '0xfa', blockHash: word('1'), logIndex: '0x0', transactionHash: word('2') }
  const topics = [poolCreatedTopic, word('aa'), word('bb'), word('bb8')]
  return [{ ...place, address: factory, topics, data: `${word('3c')}${word('cc').slice(2)}` }]
}

it('a node that is silent about the whole chain is asked range by range', async () => {
  const question = { factory, startBlock: 0, head: 999, width: 100, traded: [], poolsMax: 10 }
  expect(await readPools({ forward }, { forward }, question)).toEqual({ pools: [], createdAt: 250, hasMore: false })
})
