import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weightedMedian } from './weightedMedian.ts'

const toSamples = (...pairs: readonly (readonly [value: bigint, weight: bigint])[]) =>
  pairs.map(([value, weight]) => ({ value, weight }))

describe('a weighted median', () => {
  it('is the value in the middle of the weight, and not of the values', () => {
    expect(weightedMedian(toSamples([1n, 1n], [2n, 1n], [3n, 1n]))).toBe(2n)
    expect(weightedMedian(toSamples([1n, 1n], [2n, 1n], [3n, 5n]))).toBe(3n)
    expect(weightedMedian(toSamples([9n, 5n], [2n, 1n], [1n, 1n]))).toBe(9n)
  })

  it('is the lower one of an even split', () => {
    expect(weightedMedian(toSamples([5n, 10n], [7n, 10n]))).toBe(5n)
    expect(weightedMedian(toSamples([7n, 10n], [5n, 10n]))).toBe(5n)
    // A unit more on the other side decides.
    expect(weightedMedian(toSamples([5n, 10n], [7n, 11n]))).toBe(7n)
  })

  it('is never a value that weighs nothing', () => {
    expect(weightedMedian(toSamples([1n, 0n], [2n, 4n], [3n, 0n]))).toBe(2n)
    expect(weightedMedian(toSamples([1n, 0n], [9n, 0n]))).toBe(0n)
    expect(weightedMedian([])).toBe(0n)
  })

  const samples = fc.array(fc.record({ value: fc.bigInt({ min: -50n, max: 50n }), weight: fc.bigInt({ min: 0n, max: 9n }) }), {
    minLength: 1,
    maxLength: 12,
  })

  it('is the middle of as many equal values as each one weighs', () =>
    fc.assert(
      fc.property(samples, (drawn) => {
        const each = drawn.flatMap(({ value, weight }) => Array<bigint>(Number(weight)).fill(value))
        each.sort((a, b) => Number(a - b))
        expect(weightedMedian(drawn)).toBe(each[Math.ceil(each.length / 2) - 1] ?? 0n)
      }),
    ))

  it('is moved by nobody who has less than half of the weight', () =>
    fc.assert(
      fc.property(samples, fc.bigInt({ min: -1_000n, max: 1_000n }), (drawn, lie) => {
        const honest = drawn.filter(({ weight }) => weight > 0n)
        const total = honest.reduce((sum, { weight }) => sum + weight, 0n)
        if (total < 2n) return
        const values = honest.map(({ value }) => value).sort((a, b) => Number(a - b))
        const found = weightedMedian([...honest, { value: lie, weight: total - 1n }])
        expect(found >= (values[0] ?? 0n) && found <= (values.at(-1) ?? 0n)).toBe(true)
      }),
    ))
})
