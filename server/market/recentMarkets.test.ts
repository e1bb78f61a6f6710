import type { Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { alpha, beta } from '../testing/market.ts'
import { keepRecentMarkets, type RecentMarkets } from './recentMarkets.ts'
import type { Snapshot } from './takeSnapshot.ts'
import type { TokenMarket } from './tokenMarket.ts'

/** A snapshot of a block whose only market is told apart by its rank; `size` stands in for how many there are. */
function snapshotOf(block: number, rank = block, size = 1): Snapshot {
  const market = { rank } as TokenMarket
  const hash = `0x${block.toString(16).padStart(64, '0')}` as Hex
  return {
    atBlock: { number: block, hash, timestampSeconds: block },
    markets: Array.from({ length: size }, () => market),
    byToken: new Map([[alpha, market]]),
  }
}

/** Of blocks 0 to 110, those that are kept. */
const blocksOf = (recent: RecentMarkets) =>
  Array.from({ length: 111 }, (_, block) => block).filter((block) => recent.find(alpha, block))

describe('the last snapshots', () => {
  it('are found by their block; without one, the newest is', () => {
    const recent = keepRecentMarkets()
    for (const block of [5, 6, 8]) recent.keep(snapshotOf(block))
    expect(recent.find(alpha)?.rank).toBe(8)
    expect(recent.find(alpha, 6)?.rank).toBe(6)
    expect(recent.find(alpha, 7)).toBeUndefined()
    expect(recent.find(beta)).toBeUndefined()
  })

  it('of one block are the last one that was taken', () => {
    const recent = keepRecentMarkets()
    recent.keep(snapshotOf(5, 1))
    recent.keep(snapshotOf(5, 2))
    expect(recent.find(alpha, 5)?.rank).toBe(2)
    expect(blocksOf(recent)).toEqual([5])
  })

  it('of a branch that the chain has left go with it', () => {
    const recent = keepRecentMarkets()
    for (const block of [103, 105, 104]) recent.keep(snapshotOf(block))
    expect(blocksOf(recent)).toEqual([103, 104])
    expect(recent.find(alpha, 105)).toBeUndefined()
    expect(recent.find(alpha)?.rank).toBe(104)
  })

  it('are 64 at most', () => {
    const recent = keepRecentMarkets()
    for (let block = 1; block <= 70; block += 1) recent.keep(snapshotOf(block))
    expect(blocksOf(recent)).toHaveLength(64)
    expect(blocksOf(recent)[0]).toBe(7)
  })

  it('hold 4,096 markets at most, but the newest snapshot always', () => {
    const recent = keepRecentMarkets()
    for (let block = 1; block <= 70; block += 1) recent.keep(snapshotOf(block, block, 100))
    expect(blocksOf(recent)).toHaveLength(40)
    recent.keep(snapshotOf(71, 71, 20_000))
    expect(blocksOf(recent)).toEqual([71])
  })
})
