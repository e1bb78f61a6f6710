import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { listVolumesSince } from './dayVolumes.ts'
import type { HourRow } from './hourRow.ts'
import { pickPastPrices } from './pastPrices.ts'
import type { SwapRow } from './swapRow.ts'

const pool: Address = `0x${'a1'.repeat(20)}`

const hourAt = (startSeconds: number, close: bigint, own: Partial<HourRow> = {}): HourRow => ({
  pool,
  startSeconds,
  sqrtPriceX96: close,
  open: close,
  isOpenKnown: true,
  high: close,
  low: close,
  volume0: 3_600n,
  volume1: 7_200n,
  swapCount: 1,
  ...own,
})

const swapAt = (timestampSeconds: number, sqrtPriceX96: bigint, logIndex = 0): SwapRow => ({
  pool,
  txHash: `0x${'00'.repeat(32)}` satisfies Hex,
  blockNumber: timestampSeconds,
  logIndex,
  timestampSeconds,
  sender: pool,
  recipient: pool,
  amount0: -5n,
  amount1: 6n,
  sqrtPriceX96,
  usdE18: undefined,
})

// The moment is 10:30:00, in the hour that starts at 10:00.
const ten = 10 * 3_600
const atSeconds = ten + 1_800

describe('the price of a pool at a moment', () => {
  const pick = (hours: HourRow[], swaps: SwapRow[] | undefined, createdAtSeconds = 0) =>
    pickPastPrices({ atSeconds, pools: [{ address: pool, createdAtSeconds }], hours, swapsOf: () => swaps }).get(pool)

  it('is that of the last swap until then, however ids have ordered them', () =>
    expect(pick([hourAt(ten, 9n)], [swapAt(ten + 1_801, 3n), swapAt(atSeconds, 2n, 7), swapAt(atSeconds, 1n, 6)])).toBe(2n))

  it('is the close of the hour before when the swaps came later', () =>
    expect(pick([hourAt(ten, 9n), hourAt(ten - 7_200, 4n)], [swapAt(ten + 1_801, 3n)])).toBe(4n))

  it('is carried over a gap of months', () => expect(pick([hourAt(ten - 3_600 * 24 * 90, 5n)], [])).toBe(5n))

  it('is the close of the hour before when there are too many swaps to read', () =>
    expect(pick([hourAt(ten, 9n), hourAt(ten - 3_600, 4n)], undefined)).toBe(4n))

  it('is the one that the pool was opened at in that hour', () =>
    expect(pick([hourAt(ten, 9n, { open: 8n })], [], ten + 60)).toBe(8n))

  it('is not known when the pool was opened later in that hour', () =>
    expect(pick([hourAt(ten, 9n, { open: 8n })], [], atSeconds + 1)).toBeUndefined())

  it('is not known when the subgraph does not say what the pool was opened at', () =>
    expect(pick([hourAt(ten, 9n, { isOpenKnown: false })], [swapAt(atSeconds + 1, 9n)], ten + 60)).toBeUndefined())

  it('is the close of an hour without a swap', () =>
    expect(pick([hourAt(ten, 9n, { isOpenKnown: false, swapCount: 0 })], [], ten + 60)).toBe(9n))

  it('is not known of a pool without hours', () => expect(pick([], [])).toBeUndefined())
})

describe('what was traded since a moment', () => {
  const hours = [hourAt(ten, 1n), hourAt(ten + 3_600, 1n)]
  const whole = { pool, startSeconds: ten + 3_600, volume0: 3_600n, volume1: 7_200n }

  it('is the later swaps of the hour that is cut, and whole hours after it', () => {
    const swaps = [swapAt(atSeconds, 1n), swapAt(atSeconds + 1, 1n)]
    expect(listVolumesSince({ sinceSeconds: atSeconds, hours, swapsOf: () => swaps })).toEqual([
      { pool, startSeconds: ten, volume0: -5n, volume1: 6n },
      whole,
    ])
  })

  it("is the hour's share by time when there are too many swaps to read", () =>
    expect(listVolumesSince({ sinceSeconds: ten + 2_700, hours, swapsOf: () => undefined })).toEqual([
      { pool, startSeconds: ten, volume0: 900n, volume1: 1_800n },
      whole,
    ]))
})
