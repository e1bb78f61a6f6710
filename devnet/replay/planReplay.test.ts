import { expect, test } from 'vitest'
import type { RecordedMinute } from './parseRecording.ts'
import { planReplay, priceOfTick, shiftRows, shiftToNow, takeMainTrip, usdAt } from './planReplay.ts'

const day = Date.UTC(2026, 0, 10) / 1_000
const at = (hour: number, minute: number) => day + hour * 3_600 + minute * 60
const row = (seconds: number, ticks: [open: number, high: number, low: number, close: number]): RecordedMinute => {
  const [openTick, highestTick, lowestTick, closeTick] = ticks
  return { seconds, openTick, highestTick, lowestTick, closeTick }
}
/** The ticks a block goes to; `trip` for a trade that ends where it began. */
const path = (rows: RecordedMinute[], now: number) =>
  planReplay(rows, day, now).map((block) => [
    block.seconds - day,
    ...(block.trades ?? []).map((trade) => (trade.kind === 'to' ? tickNames.get(trade.sqrtPriceX96) : 'trip')),
  ])
const tickNames = new Map(Array.from({ length: 200 }, (_, place) => [priceOfTick(202_000 + place), 202_000 + place]))

test('an hour long ago is one block at its last row: the earlier extreme, the later one, the close', () => {
  const rows = [
    row(at(3, 5), [202_010, 202_020, 202_005, 202_008]),
    row(at(3, 17), [202_008, 202_009, 202_001, 202_004]),
    row(at(3, 58), [202_004, 202_012, 202_003, 202_011]),
  ]
  expect(path(rows, at(40, 0)).filter(([seconds]) => seconds === 3 * 3_600 + 58 * 60)).toEqual([
    [14_280, 202_020, 202_001, 202_011],
  ])
})

test('an hour without rows has a block for the other pools and no trade in the main one', () => {
  const rows = [row(at(1, 0), [202_010, 202_010, 202_010, 202_010]), row(at(3, 0), [202_011, 202_011, 202_011, 202_011])]
  expect(path(rows, at(40, 0)).slice(0, 4)).toEqual([[1_800], [3_600, 202_010], [9_000], [10_800, 202_011]])
})

test('an hour in which the price does not move has a trade that ends where it began', () => {
  const rows = [row(at(1, 0), [202_010, 202_010, 202_010, 202_010]), row(at(2, 3), [202_010, 202_010, 202_010, 202_010])]
  expect(path(rows, at(40, 0)).slice(1, 3)).toEqual([
    [3_600, 202_010],
    [7_380, 'trip'],
  ])
})

test('an hour that opens at its extreme touches it, though the pool already stands there', () => {
  const rows = [row(at(1, 0), [202_010, 202_010, 202_010, 202_010]), row(at(2, 3), [202_010, 202_010, 202_002, 202_004])]
  expect(path(rows, at(40, 0))[2]).toEqual([7_380, 'trip', 202_002, 202_004])
})

test('the last hours are traded minute by minute; missing minutes have no block', () => {
  const rows = [
    row(at(1, 57), [202_010, 202_012, 202_009, 202_011]),
    row(at(1, 59), [202_011, 202_013, 202_007, 202_008]),
    row(at(2, 0), [202_008, 202_008, 202_008, 202_008]),
  ]
  expect(path(rows, at(2, 0))).toEqual([
    [7_020, 202_009, 202_012, 202_011],
    [7_140, 202_013, 202_007, 202_008],
    [7_200, 'trip'],
  ])
})

test('rows are moved by whole minutes so that the last one is now', () => {
  const rows = [row(60, [0, 0, 0, 0]), row(180, [0, 0, 0, 0])]
  expect(shiftToNow(rows, 100_000_059)).toBe(99_999_960 - 180 + 60)
  expect(shiftRows(rows, 600).map((one) => one.seconds)).toEqual([660, 780])
})

test('the native coin costs what the last row before says: tick 202693 is 1,576.14 dollars', () => {
  const rows = [row(60, [202_656, 0, 0, 202_693]), row(180, [0, 0, 0, 0])]
  expect(usdAt(rows, 0)).toBeCloseTo(1_581.98, 1)
  expect(usdAt(rows, 179)).toBeCloseTo(1_576.14, 1)
  expect(usdAt(rows, 180)).toBe(1e12)
})

test('there-and-back trades sell a little of the native coin, which is token1', () => {
  expect(takeMainTrip(0)).toMatchObject({ kind: 'thereAndBack', pool: 0, sellsToken0: false, amountRaw: 31_000_000_000_000_000n })
})
