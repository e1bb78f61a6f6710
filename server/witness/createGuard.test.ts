import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createGuard, Doubted, type FoundMisfit } from './createGuard.ts'

const pool: Address = '0x00000000000000000000000000000000000000b0'
const txHash: Hex = `0x${'ab'.repeat(32)}`

function misfitAt(blockNumber: number, logIndex = 0): FoundMisfit {
  const place = { pool, blockNumber, logIndex, txHash, timestampSeconds: 1_700_000_000 }
  return { event: { ...place, kind: 'swap' }, what: 'liquidity' }
}

/** What the guard threw; undefined where it let the range pass. */
function refusalOf(check: () => unknown): Doubted | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof Doubted) return error
    throw error
  }
}

describe('a range whose events do not fit', () => {
  it('is refused, to be read again, in words that name the event', () => {
    const guard = createGuard()
    expect(refusalOf(() => guard.check([misfitAt(7)]))).toMatchObject({
      code: 'rpc-invalid',
      retryable: true,
      message: `The node's logs are incomplete: swap of pool ${pool} in block 7 does not match the pool's state`,
      pool,
      blockNumber: 7,
      sightings: 1,
    })
  })

  it('is taken the fifth time, with a doubt for each of its misfits', () => {
    const guard = createGuard(() => 1_700_000_500)
    const sightings = [1, 2, 3, 4].map(() => refusalOf(() => guard.check([misfitAt(7)]))?.sightings)
    expect(sightings).toEqual([1, 2, 3, 4])
    expect(guard.check([misfitAt(7)])).toEqual([{ pool, blockNumber: 7, what: 'liquidity', sinceSeconds: 1_700_000_500 }])
  })

  it('counts only its first misfit: what the first one pulls along is not seen four times by being beside it', () => {
    const guard = createGuard()
    for (let time = 0; time < 4; time += 1) refusalOf(() => guard.check([misfitAt(7), misfitAt(8)]))
    expect(refusalOf(() => guard.check([misfitAt(7), misfitAt(8)]))).toMatchObject({ blockNumber: 8, sightings: 1 })
  })

  it('is refused for another event of the same block, however often the first was seen', () => {
    const guard = createGuard()
    for (let time = 0; time < 4; time += 1) refusalOf(() => guard.check([misfitAt(7)]))
    expect(refusalOf(() => guard.check([misfitAt(7, 1)]))?.sightings).toBe(1)
  })

  it('is remembered while no more than a thousand are, and counted anew after that', () => {
    const guard = createGuard()
    for (let time = 0; time < 4; time += 1) refusalOf(() => guard.check([misfitAt(7)]))
    for (let block = 1_000; block < 1_999; block += 1) refusalOf(() => guard.check([misfitAt(block)]))
    expect(refusalOf(() => guard.check([misfitAt(7)]))).toBe(undefined)
    refusalOf(() => guard.check([misfitAt(1_999)]))
    expect(refusalOf(() => guard.check([misfitAt(7)]))?.sightings).toBe(1)
  })

  it('passes at once where everything fits', () => {
    expect(createGuard().check([])).toEqual([])
  })
})
