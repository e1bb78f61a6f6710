import { Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Header } from '../chain/chain.ts'
import { measureBlocks } from './measureBlocks.ts'

const word = `0x${'01'.repeat(32)}` as const
const headerOf = (number: number, timestampSeconds: number): Header => ({
  number,
  hash: word,
  parentHash: word,
  timestampSeconds,
})
const rawBlock = (number: number) => ({ number: `0x${number.toString(16)}`, hash: word, parentHash: word, timestamp: '0x1' })

/** What a node says: the times of its blocks, and the newest one that it calls final. */
type Says = {
  readonly secondsOf?: (block: number) => number | undefined
  readonly finalized?: () => unknown
  readonly head?: number
}

function measure({ secondsOf = (block) => 2 * block, finalized = () => null, head = 5_000 }: Says) {
  const chain = {
    readHeader: async (number: number) => {
      const seconds = secondsOf(number)
      return seconds === undefined ? undefined : headerOf(number, seconds)
    },
    forward: async () => finalized(),
  }
  return measureBlocks(chain, headerOf(head, secondsOf(head) ?? 0))
}

describe('the time of a block', () => {
  it('is the average of the last thousand', async () => {
    // One stop of 500 s, 300 blocks ago.
    const secondsOf = (block: number) => 2 * block + (block > 4_700 ? 500 : 0)
    expect((await measure({ secondsOf })).blockSeconds).toBe(2.5)
  })

  it('is that of the last 20 where the node keeps no older ones', async () => {
    expect((await measure({ secondsOf: (block) => (block < 4_500 ? undefined : 0.25 * block) })).blockSeconds).toBe(0.25)
  })

  it('does not count the first block, which may be years older', async () => {
    expect((await measure({ head: 11, secondsOf: (block) => (block === 0 ? 0 : 1_700_000_000 + 3 * block) })).blockSeconds).toBe(
      3,
    )
  })

  it('is two seconds where there is nothing to measure', async () => {
    expect((await measure({ head: 1 })).blockSeconds).toBe(2)
    expect((await measure({ secondsOf: (block) => (block === 5_000 ? 9 : undefined) })).blockSeconds).toBe(2)
  })
})

describe('blocks that may still change', () => {
  it.each([
    ['twice as many as are not final', 4_970, 60],
    ['16 at least', 4_999, 16],
    ['128 at most', 4_000, 128],
  ])('are %s', async (_name, finalized, confirmations) => {
    expect((await measure({ finalized: () => rawBlock(finalized) })).confirmations).toBe(confirmations)
  })

  it.each<[string, () => unknown]>([
    ['says that there is none', () => null],
    ['answers something else', () => ({ hello: 1 })],
    [
      'does not know the word',
      () => {
        throw new Failure('rpc-refused', 'invalid block tag', { retryable: true })
      },
    ],
  ])('are 64 where the node %s', async (_name, finalized) => {
    expect((await measure({ finalized })).confirmations).toBe(64)
  })

  it('are not guessed while the node is away', async () => {
    const away = new Failure('rpc-unavailable', 'away', { retryable: true })
    const finalized = () => Promise.reject(away)
    await expect(measure({ finalized })).rejects.toBe(away)
  })
})
