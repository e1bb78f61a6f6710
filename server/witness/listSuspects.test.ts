import { type Address, Failure, type Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Header } from '../chain/chain.ts'
import { listSuspects } from './listSuspects.ts'

const pool: Address = '0x00000000000000000000000000000000000000b0'
const [full, empty]: readonly Hex[] = [`0x${'ff'.repeat(256)}`, `0x${'00'.repeat(256)}`]

/** A node whose headers have this bloom; `fail`: blocks that it does not answer. */
function nodeOf(bloomOf: (block: number) => Hex | undefined, fail: (block: number) => Error | undefined = () => undefined) {
  const asked: number[] = []
  const most = { atOnce: 0 }
  let open = 0
  const readHeader = async (number: number): Promise<Header> => {
    asked.push(number)
    open += 1
    most.atOnce = Math.max(most.atOnce, open)
    await Promise.resolve()
    open -= 1
    const error = fail(number)
    if (error) throw error
    const word: Hex = `0x${number.toString(16).padStart(64, '0')}`
    const logsBloom = bloomOf(number)
    return { number, hash: word, parentHash: word, timestampSeconds: number, ...(logsBloom ? { logsBloom } : {}) }
  }
  return { readHeader, asked, most }
}

const span = { pool, fromBlock: 1, toBlock: 120 }

describe('blocks that may hold logs of a pool', () => {
  it('are those whose bloom may have it, lowest first, the ends of the span included', async () => {
    const node = nodeOf((block) => ([1, 50, 51, 120].includes(block) ? full : empty))
    expect(await listSuspects(node, span)).toEqual([1, 50, 51, 120])
    expect([node.asked.length, Math.min(...node.asked), Math.max(...node.asked)]).toEqual([120, 1, 120])
  })

  it('are found though the node has no header of some', async () => {
    const away = new Failure('rpc-unavailable', 'No such block', { retryable: true })
    const node = nodeOf(
      (block) => (block % 30 === 0 ? full : empty),
      (block) => (block === 60 || block === 61 ? away : undefined),
    )
    expect(await listSuspects(node, span)).toEqual([30, 90, 120])
  })

  it('are none where headers have no bloom', async () => {
    expect(
      await listSuspects(
        nodeOf(() => undefined),
        span,
      ),
    ).toEqual([])
  })

  it('are none where blooms hold nearly everything, and no further headers are read then', async () => {
    const node = nodeOf(() => full)
    expect(await listSuspects(node, { ...span, toBlock: 10_000 })).toEqual([])
    expect(node.asked).toHaveLength(50)
  })

  it('are asked for 50 at a time', async () => {
    const node = nodeOf(() => empty)
    await listSuspects(node, span)
    expect(node.most.atOnce).toBe(50)
  })

  it('are not looked for behind an error of ours', async () => {
    const bug = new TypeError('undefined is not a function')
    const node = nodeOf(
      () => empty,
      (block) => (block === 3 ? bug : undefined),
    )
    await expect(listSuspects(node, span)).rejects.toBe(bug)
  })
})
