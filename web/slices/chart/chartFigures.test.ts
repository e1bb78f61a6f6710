import { expect, test } from 'vitest'
import { axisDecimals, describeSpan, fillCandleGaps, followPrice, toRangeChange } from './chartFigures.ts'

const candle = (time: number) => ({ time, open: 1, high: 2, low: 1, close: 2, volumeUsd: 10 })

const point = (time: number, price: number) => ({ time, price })
/** Nov 19, 14:00 of the local clock. */
const nov19 = new Date(2026, 10, 19, 14).getTime() / 1000

test("the change of a day, and of a week, is the token's own figure, whatever the points say, also when there is none", () => {
  const chart = { range: '1d' as const, points: [point(0, 2), point(1, 9)] }
  const token = { priceInUsd: 3, priceChange24h: -0.8, priceChange7d: 12 }
  expect(toRangeChange(chart, token)).toEqual({ percent: -0.8 })
  expect(toRangeChange(chart, { ...token, priceChange24h: null })).toEqual({ percent: null })
  expect(toRangeChange({ ...chart, range: '1w' }, token)).toEqual({ percent: 12 })
})

test('the change of a longer range runs from its first point to the current price, and names that point', () => {
  const token = { priceInUsd: 3, priceChange24h: -0.8, priceChange7d: null }
  const points = [point(nov19, 2), point(nov19 + 3600, 9)]
  expect(toRangeChange({ range: '3d', points }, token)).toEqual({ percent: 50, from: { time: nov19, price: 2 } })
  expect(toRangeChange({ range: '1w', points: [point(0, 0)] }, token)).toEqual({ percent: undefined })
  expect(toRangeChange({ range: '1m', points: [] }, token)).toEqual({ percent: undefined })
})

test('the label under a change says its span and what it is measured from', () => {
  expect(describeSpan('1d', undefined)).toBe('Past 24 hours')
  expect(describeSpan('3d', point(nov19, 2))).toBe('Past 3 days, from $2.00 on Nov 19, 14:00')
  expect(describeSpan('1w', point(nov19, 2))).toBe('Past week, from $2.00 on Nov 19, 14:00')
  expect(describeSpan('1m', point(nov19, 2))).toBe("Past month, from a day's average of $2.00 on Nov 19")
})

test('labels of an axis keep apart when prices lie close together', () => {
  expect(axisDecimals(0.9997, 1.0003)).toBe(4)
  expect(axisDecimals(10, 20)).toBe(2)
  expect(axisDecimals(0.5, 0.6)).toBe(4)
  expect(axisDecimals(1, 1)).toBe(2)
})

test('hours without a trade are put back', () => {
  expect(fillCandleGaps([candle(0), candle(3600), candle(14_400)]).map(({ time }) => time)).toEqual([
    0, 3600, 7200, 10_800, 14_400,
  ])
  expect(fillCandleGaps([candle(0)])).toHaveLength(1)
  expect(fillCandleGaps([])).toEqual([])
})

test('the last point of a line stands at the current price', () => {
  const points = [
    { time: 0, price: 2 },
    { time: 3600, price: 9 },
  ]
  expect(followPrice({ range: '1d', points }, 10).points).toEqual([
    { time: 0, price: 2 },
    { time: 3600, price: 10 },
  ])
  expect(points[1]).toEqual({ time: 3600, price: 9 })
})

test("a month's last point is the average of a day, and stays; so does a line without a price to follow", () => {
  const points = [{ time: 0, price: 2 }]
  expect(followPrice({ range: '1m', points }, 10).points).toEqual([{ time: 0, price: 2 }])
  expect(followPrice({ range: '1d', points }, undefined).points).toEqual([{ time: 0, price: 2 }])
  expect(followPrice({ range: '1d', points: [] }, 10).points).toEqual([])
})
