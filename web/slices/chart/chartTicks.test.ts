import { expect, test } from 'vitest'
import { formatPointTime, formatTick, toChartTicks } from './chartTicks.ts'

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime() / 1000

test('a day has a tick every four hours of the local clock', () => {
  expect(toChartTicks('1d', at(20, 14), at(21, 13)).map((tick) => formatTick('1d', tick))).toEqual([
    '16:00',
    '20:00',
    '00:00',
    '04:00',
    '08:00',
    '12:00',
  ])
})

test('three days have a tick at midnight and noon, with day/month and hour', () => {
  expect(toChartTicks('3d', at(18, 14), at(21, 13)).map((tick) => formatTick('3d', tick))).toEqual([
    '19/11 00:00',
    '19/11 12:00',
    '20/11 00:00',
    '20/11 12:00',
    '21/11 00:00',
    '21/11 12:00',
  ])
})

test('a week has a tick a day, with month and day', () => {
  expect(toChartTicks('1w', at(14, 14), at(21, 13)).map((tick) => formatTick('1w', tick))).toEqual([
    'Nov 15',
    'Nov 16',
    'Nov 17',
    'Nov 18',
    'Nov 19',
    'Nov 20',
    'Nov 21',
  ])
})

test('a month has a tick every five days', () => {
  expect(toChartTicks('1m', at(1, 14), at(30, 14)).map((tick) => formatTick('1m', tick))).toEqual([
    'Nov 6',
    'Nov 11',
    'Nov 16',
    'Nov 21',
    'Nov 26',
  ])
})

test('a narrow axis takes wider steps', () => {
  expect(toChartTicks('3d', at(18, 14), at(21, 13), 4).map((tick) => formatTick('3d', tick))).toEqual([
    '19/11 00:00',
    '20/11 00:00',
    '21/11 00:00',
  ])
  expect(toChartTicks('1d', at(20, 14), at(21, 13), 4).map((tick) => formatTick('1d', tick))).toEqual([
    '18:00',
    '00:00',
    '06:00',
    '12:00',
  ])
})

test('no range ever has more than eight ticks', () => {
  for (const [range, hours] of [
    ['1d', 24],
    ['3d', 72],
    ['1w', 168],
    ['1m', 720],
  ] as const)
    for (let start = 0; start < 24; start += 1)
      expect(toChartTicks(range, at(2, start), at(2, start) + hours * 3600).length).toBeLessThanOrEqual(8)
})

test('a point under the crosshair reads its day and time', () => {
  expect(formatPointTime(at(20, 9, 5))).toBe('Nov 20, 09:05')
})
