import { describe, expect, it } from 'vitest'
import type { Header } from '../chain/chain.ts'
import { findBlockAt } from './findBlockAt.ts'

/** A chain by the times of its blocks, the first of which is block 0, that counts the headers it is asked for. */
function chainOf(times: readonly number[], without: readonly number[] = []) {
  const asked: number[] = []
  const headerAt = (number: number): Header => ({
    number,
    hash: `0x${number}`,
    parentHash: `0x${number - 1}`,
    timestampSeconds: times[number] ?? Number.NaN,
  })
  const chain = {
    readHeader: async (number: number) => {
      asked.push(number)
      return times[number] === undefined || without.includes(number) ? undefined : headerAt(number)
    },
  }
  const find = async (beforeSeconds: number, firstBlock = 0, newest = times.length - 1) =>
    (await findBlockAt(chain, beforeSeconds, { firstBlock, newest: headerAt(newest) }))?.number
  return { asked, find }
}

/** Blocks of 2 seconds, from 1,000 on. */
const steady = Array.from({ length: 100_000 }, (_, i) => 1_000 + 2 * i)

describe('the newest block before a time', () => {
  it('is found among equal blocks in a few headers', async () => {
    const { asked, find } = chainOf(steady)
    expect(await find(101_001)).toBe(50_000)
    expect(asked.length).toBeLessThanOrEqual(4)
  })

  it('is the one before a block of that very time', async () => {
    const { find } = chainOf(steady)
    expect([await find(101_000), await find(101_002), await find(1_001)]).toEqual([49_999, 50_000, 0])
  })

  it('is found where the chain stood for a year, in no more than twice the halvings', async () => {
    const halted = steady.map((seconds, i) => (i < 60_000 ? seconds : seconds + 31_536_000))
    const { asked, find } = chainOf(halted)
    expect(await find(1_000_000)).toBe(59_999)
    expect(asked.length).toBeLessThanOrEqual(36)
  })

  it('is the last of several blocks of one second, and never one of the second itself', async () => {
    const { find } = chainOf([10, 10, 10, 11, 11, 11, 12])
    expect([await find(11), await find(12)]).toEqual([2, 5])
  })

  it('is the newest where all are older, and none where all are younger', async () => {
    const { find } = chainOf([10, 20, 30])
    expect([await find(31), await find(30), await find(10), await find(5)]).toEqual([2, 1, undefined, undefined])
  })

  it('is looked for from the block before the span on, no further back', async () => {
    const { asked, find } = chainOf(steady)
    expect(await find(1_500, 500)).toBeUndefined()
    expect(await find(2_001, 500)).toBe(500)
    expect(Math.min(...asked)).toBe(499)
  })

  it('fails with the node where that does not have a block of the span', async () => {
    const { find } = chainOf([10, 20, 30, 40, 50], [2])
    await expect(find(35)).rejects.toThrow(
      expect.objectContaining({ code: 'rpc-unavailable', message: 'The node does not have block 2', retryable: true }),
    )
  })
})
