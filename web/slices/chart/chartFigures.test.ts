import { expect, test } from 'vitest'
import { axisDecimals, fillCandleGaps, followPrice, toRangeChange } from './chartFigures.ts'

const candle = (time: number) => ({ time, open: 1, high: 2, low: 1, close: 2, volumeUsd: 10 })

test('the change of a range runs from its first point to the current price', () => {
  expect(
    toRangeChange(
      [
        { time: 0, price: 2 },
        { time: 1, price: 9 },
      ],
      3,
    ),
  ).toBe(50)
  expect(toRangeChange([{ time: 0, price: 0 }], 3)).toBeUndefined()
  expect(toRangeChange([], 3)).toBeUndefined()
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
