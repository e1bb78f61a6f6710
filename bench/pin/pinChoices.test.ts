import { expect, it } from 'vitest'
import { choosePin, earlyChoices, evenChoices, newChoices, pinCount, stubbornChoices, toPin } from './pinChoices.ts'

it('has every PIN once, with shares that are all of the people', () => {
  for (const { shares, order } of [evenChoices, earlyChoices, newChoices, stubbornChoices]) {
    expect(shares).toHaveLength(10_000)
    expect(new Set(order).size).toBe(pinCount)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
  }
})

it('has the most frequent PINs of people first, with the shares that were found', () => {
  expect(earlyChoices.order.slice(0, 3).map(toPin)).toEqual(['1234', '1111', '0000'])
  expect(earlyChoices.shares[1_234]).toBeCloseTo(0.10713, 12)
  expect(earlyChoices.shares[0]).toBeCloseTo(0.01881, 12)
  // Those that are refused now are 57.8 % of all. The twenty are 26.832 %, and the other 1,723 share the rest: 31 % / 1,723.
  expect(earlyChoices.shares[2_580]).toBeCloseTo(0.000_18, 5)
  expect(earlyChoices.shares[9_024]).toBeLessThan(0.000_125)
  expect(evenChoices.shares[1_234]).toBe(0.0001)
})

it('gives each person a PIN by chance', () => {
  // 1234 up to 0.10713, 1111 up to 0.16729, then 0000.
  expect([0, 0.1071, 0.1072, 0.1672, 0.1673].map((random) => choosePin(earlyChoices, random))).toEqual([
    ...['1234', '1234', '1111', '1111', '0000'],
  ])
  expect(choosePin(evenChoices, 0.50005)).toBe('5000')
  expect(choosePin(earlyChoices, 1)).toMatch(/^\d{4}$/)
})

it('writes leading zeros', () => {
  expect([0, 42, 9_999].map(toPin)).toEqual(['0000', '0042', '9999'])
})

it('gives nobody an easy PIN where these are refused', () => {
  for (const { shares, order } of [newChoices, stubbornChoices]) {
    expect([1_234, 1_987, 412, 2_580].map((pin) => shares[pin])).toEqual([0, 0, 0, 0])
    expect(shares.filter((share) => share > 0)).toHaveLength(8_257)
    expect(shares[order[0] ?? 0]).toBeGreaterThan(shares[order[8_256] ?? 0] ?? 1)
  }
  // By habit: the first is 0.0125 % of all leaked PINs, those that are not refused together 42.2 % of them.
  expect(Math.max(...stubbornChoices.shares)).toBeCloseTo(0.000_296, 6)
})
