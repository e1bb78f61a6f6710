import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { createStrangers } from './createStrangers.ts'

const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
const address = (byte: string) => `0x${byte.repeat(20)}` as Address
const [factory, pool, token0, token1, other] = ['fa', 'a0', '11', '22', 'ee'].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
/** By the first four bytes of a call. */
const answers: Readonly<Record<string, string>> = {
  '0xc45a0155': word(factory),
  '0x0dfe1681': word(token0),
  '0xd21220a7': word(token1),
  '0xddca3f43': word('0x0bb8'),
  '0x1698ee82': word(pool),
}

/** A node on which the pool is one of the factory's, or says that it is somebody else's. */
function createNode(says: Address) {
  const node = { asked: 0 }
  const forward = async (_method: string, params: unknown) => {
    const [{ data }] = params as [{ data: string }]
    if (data.startsWith('0xc45a0155')) node.asked += 1
    return data.startsWith('0xc45a0155') ? word(says) : answers[data.slice(0, 10)]
  }
  const readRange = async () => ({ headers: [], logs: [{ data: `0x${pool.slice(2)}`, blockNumber: 7 }] })
  return { node, chain: { forward, readRange } as unknown as Chain }
}

it('a pool that one node says is of another exchange is asked for of the next', async () => {
  const [liar, honest] = [createNode(other), createNode(factory)]
  const strangers = createStrangers({ nodes: [liar.chain, honest.chain], factory, wants: () => true })
  const look = async (turn: number) => {
    strangers.meet([{ pool, blockNumber: 9 }])
    return (await strangers.findCreation(turn, async () => false))?.block
  }
  expect([await look(0), await look(1)]).toEqual([undefined, 7])
})

it('one that all nodes say so of is not asked for again', async () => {
  const [first, second] = [createNode(other), createNode(other)]
  const strangers = createStrangers({ nodes: [first.chain, second.chain], factory, wants: () => true })
  for (let turn = 0; turn < 6; turn += 1) {
    strangers.meet([{ pool, blockNumber: 9 }])
    await strangers.findCreation(turn, async () => false)
  }
  expect([first.node.asked, second.node.asked]).toEqual([1, 1])
})
