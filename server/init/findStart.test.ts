import { type Address, Failure } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { UsableNode } from '../doctor/doctorRun.ts'
import { findStart } from './findStart.ts'

const factory: Address = `0x${'fa'.repeat(20)}`
const limits = { callTimeoutMs: 1_000, signal: new AbortController().signal }

type World = {
  /** Whether the factory's code is in the state of a block; undefined: the state is gone. */
  readonly codeAt: (block: number) => boolean | undefined
  readonly firstPool: number
  /** The widest range of blocks that is answered. */
  readonly width?: number
}

/** A node of a chain with 1,000 blocks. */
function nodeOf({ codeAt, firstPool, width = 1_000 }: World): UsableNode {
  const answers: Record<string, (params: never[]) => unknown> = {
    eth_getCode: ([, block]: string[]) => {
      const there = codeAt(block === 'latest' ? 999 : Number(block))
      if (there === undefined) throw new Failure('rpc-refused', 'missing trie node')
      return there ? '0x60' : '0x'
    },
    eth_getLogs: ([filter]: { fromBlock: string; toBlock: string }[]) => {
      const [from, to] = [Number(filter?.fromBlock), Number(filter?.toBlock)]
      if (to - from >= width) throw new Failure('rpc-range-too-wide', 'too wide', { retryable: true })
      return from <= firstPool && firstPool <= to ? [{ blockNumber: `0x${firstPool.toString(16)}` }] : []
    },
  }
  const forward = async (method: string, params: unknown) => answers[method]?.(params as never[])
  return { field: 'node', url: 'http://node.example', headNumber: 999, chain: { forward } as UsableNode['chain'] }
}

const startOf = (world: World) => findStart(limits, nodeOf(world), { factory, width: 100 })

it('is the block of the creation where the node has past states', async () => {
  expect(await startOf({ codeAt: (block) => block >= 321, firstPool: 330 })).toEqual({ block: 321, source: 'state' })
  expect(await startOf({ codeAt: () => true, firstPool: 5 })).toEqual({ block: 0, source: 'state' })
})

it('is the block of the first pool where the states are gone and all logs are answered at once', async () => {
  expect(await startOf({ codeAt: (block) => (block > 990 ? true : undefined), firstPool: 330 })).toEqual({
    block: 330,
    source: 'first pool',
  })
})

it('is not known where neither is answered', async () => {
  const codeAt = (block: number) => (block > 990 ? true : undefined)
  expect(await startOf({ codeAt, firstPool: 330, width: 100 })).toBeUndefined()
})

it('is not what a node says that has thrown states away and answers that nothing was there', async () => {
  const codeAt = (block: number) => block >= 900
  expect(await startOf({ codeAt, firstPool: 330 })).toEqual({ block: 330, source: 'first pool' })
  // A pool that is seen in a later range is not the first one.
  expect(await startOf({ codeAt, firstPool: 830, width: 100 })).toBeUndefined()
})
