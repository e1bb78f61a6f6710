import type { WireCandles, WireTraderCandle } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { addNewer, addOlder, candlesMax, countInSight, followBar, toBars, toCandleRows } from './candles.ts'
import { toLines } from './indicators.ts'

const candle = (time: number, close = 1): WireTraderCandle => ({
  ...{ time, open: 1, high: 2, low: 1, close, volumeUsd: 10, fair: null },
})
const page = (times: readonly number[], nextBefore: number | null = null): WireCandles => ({
  ...{ candles: times.map((time) => candle(time)), nextBefore, since: null, dayAgo: null },
})
const times = ({ candles }: { readonly candles: readonly WireTraderCandle[] }) => candles.map(({ time }) => time)

test('pages join: the newest again, and older ones before it', () => {
  const first = addNewer(undefined, page([60, 120], 60))
  const older = addOlder(first, page([0, 60], null))
  expect([times(older), older.nextBefore]).toEqual([[0, 60, 120], null])
  const later = addNewer(older, page([120, 180], 120))
  expect([times(later), later.nextBefore]).toEqual([[0, 60, 120, 180], null])
})

test('after a long sleep nothing is left of what the newest page does not reach', () => {
  const known = addNewer(undefined, page([0, 60], 0))
  const woken = addNewer(known, page([600, 660], 600))
  expect([times(woken), woken.nextBefore]).toEqual([[600, 660], 600])
})

test('no more candles are kept than may be', () => {
  const many = addNewer(undefined, page(Array.from({ length: candlesMax }, (_, i) => i * 60)))
  expect(many.isFull).toBe(true)
  const more = addNewer(many, page([(candlesMax - 1) * 60, candlesMax * 60]))
  expect([more.candles.length, more.candles[0]?.time, more.nextBefore]).toEqual([5_000, 60, 60])
})

test('the newest candle follows the price of now', () => {
  expect(followBar([candle(0)], 3)).toMatchObject({ close: 3, high: 3, low: 1 })
  expect(followBar([candle(0)], 0.5)).toMatchObject({ close: 0.5, high: 2, low: 0.5 })
  expect(followBar([candle(0)], 1)).toBeUndefined()
  expect(followBar([candle(0)], null)).toBeUndefined()
  expect(followBar([], 3)).toBeUndefined()
})

test('a month of days fills the chart, three of them do not, and many stay as wide as they are', () => {
  expect([countInSight(31, 760), countInSight(3, 760), countInSight(480, 760)]).toEqual([31, 24, 120])
  expect(countInSight(480, 300)).toBe(50)
})

test('candles of the fair price are those that have one', () => {
  const fair = { open: 5, high: 6, low: 4, close: 5 }
  expect(toBars([candle(0), { ...candle(60), fair }], 'fair')).toEqual([{ time: 60, volumeUsd: 10, ...fair }])
})

test('a file has times in UTC, and nothing where there is no fair price', () => {
  expect(toCandleRows([candle(1_700_000_000)])[1]).toEqual(['2023-11-14T22:13:20.000Z', '1', '2', '1', '1', '10', '', '', '', ''])
})

test('indicators begin once they have enough candles', () => {
  const closes = Array.from({ length: 60 }, (_, i) => i + 1)
  const known = (key: Parameters<typeof toLines>[0]) =>
    toLines(key, closes).map(({ name, values }) => [name, values.findIndex((value) => value !== undefined), values.at(-1)])
  // The mean of 41 to 60; the RSI of a price that only rises is 100.
  expect(known('sma')).toEqual([['sma', 19, 50.5]])
  expect(known('rsi')).toEqual([['rsi', expect.any(Number), 100]])
  // Of 20 numbers in a row the deviation is the root of (20² - 1) / 12: 5.766.
  const [upper, middle, lower] = known('bollinger').map(([, , value]) => Number(value))
  expect([upper, middle, lower].map((value) => value?.toFixed(3))).toEqual(['62.033', '50.500', '38.967'])
  expect(known('ema')[0]?.[1]).toBe(49)
  expect(known('macd').map(([name]) => name)).toEqual(['macd', 'signal', 'histogram'])
})
