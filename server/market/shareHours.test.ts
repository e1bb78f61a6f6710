import type { Address, Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { BlockRef } from '../store/syncCursor.ts'
import { shareHours } from './shareHours.ts'
import type { PoolHistory, PoolHour } from './source.ts'

const [own, other, quote] = ['a1', 'a2', 'a3'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address, Address]
const blockAt = (number: number): BlockRef => ({ number, hash: `0x${'01'.repeat(32)}` as Hex, timestampSeconds: number })
const hours = [0, 3_600, 7_200]

const toHour = (pool: Address, close: bigint): PoolHour => ({
  ...{ pool, startSeconds: 0, sqrtPriceX96: close, open: 1n, high: 1n, low: 1n, volume0: 1n, volume1: 1n, swapCount: 1 },
})

/** A history in which every reading has the next price, and what was read. */
function open() {
  const asked: string[] = []
  const state = { block: blockAt(1), fails: false }
  const history: PoolHistory = {
    listNewestSwaps: async () => [],
    listHoursCovering: async (pools, span) => {
      asked.push(...pools.map((pool) => `${pool.slice(2, 4)} ${span.length}`))
      if (state.fails) throw new Error('The database is away')
      return new Map(pools.map((pool) => [pool, [toHour(pool, BigInt(asked.length))]]))
    },
  }
  const shared = shareHours(history, () => state.block)
  const closesOf = async (pools: readonly Address[], span = hours) =>
    [...(await shared.listHoursCovering(pools, span)).values()].map(([hour]) => hour?.sqrtPriceX96)
  return { asked, state, closesOf }
}

it('reads the hours of a pool in which two routes meet once for a block, also at the same time', async () => {
  const { asked, closesOf } = open()
  const both = await Promise.all([closesOf([own, quote]), closesOf([other, quote])])
  expect(both).toEqual([
    [1n, 2n],
    [3n, 2n],
  ])
  expect(await closesOf([quote, own])).toEqual([2n, 1n])
  expect(asked).toEqual(['a1 3', 'a3 3', 'a2 3'])
})

it('reads another span by itself, and everything again after the next block', async () => {
  const { asked, state, closesOf } = open()
  expect(await closesOf([own])).toEqual([1n])
  expect(await closesOf([own], [3_600, 7_200])).toEqual([2n])
  state.block = blockAt(2)
  expect(await closesOf([own])).toEqual([3n])
  expect(asked).toEqual(['a1 3', 'a1 2', 'a1 3'])
})

it('keeps no reading that failed', async () => {
  const { state, closesOf } = open()
  state.fails = true
  await expect(closesOf([own])).rejects.toThrow('away')
  state.fails = false
  expect(await closesOf([own])).toEqual([2n])
})
