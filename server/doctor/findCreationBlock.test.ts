import { Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import type { DoctorRun, UsableNode } from './doctorRun.ts'
import { findCreationBlock } from './findCreationBlock.ts'

const contract = `0x${'c0'.repeat(20)}` as const

/** A node that keeps all states, or those from a block on, of a chain whose contract came at `createdAt`. */
function nodeWith(createdAt: number, oldestState = 0) {
  const chain = new FakeChain()
  let calls = 0
  const forward = async (_method: string, params: unknown) => {
    calls += 1
    const block = Number((params as string[])[1])
    if (block < oldestState) throw new Failure('rpc-refused', 'missing trie node', { retryable: true })
    return block >= createdAt ? '0x60' : '0x'
  }
  const node: UsableNode = { field: 'node', url: 'http://node', headNumber: 1_000_000, chain: Object.assign(chain, { forward }) }
  return { node, calls: () => calls }
}

const run = { callTimeoutMs: 1_000, signal: new AbortController().signal } as DoctorRun

describe('the block of a contract', () => {
  it.each([0, 1, 2, 499_999, 999_999, 1_000_000])('is found when it is %i', async (createdAt) => {
    expect(await findCreationBlock(run, nodeWith(createdAt).node, contract, 700_000)).toBe(createdAt)
  })

  it('is found in two calls when the file names it', async () => {
    const { node, calls } = nodeWith(700_000)
    expect(await findCreationBlock(run, node, contract, 700_000)).toBe(700_000)
    expect(calls()).toBe(2)
  })

  it('is not known on a node without old states', async () => {
    expect(await findCreationBlock(run, nodeWith(700_000, 900_000).node, contract, 700_000)).toBeUndefined()
  })
})
