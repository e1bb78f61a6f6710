import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareKeys, meets, textTest, toSortKey } from './compareValues.ts'
import { SchemaFault } from './graphError.ts'

describe('values as they sort', () => {
  it('are numbers by their size and texts by their bytes, with nothing behind everything', () => {
    const sorted = (type: Parameters<typeof toSortKey>[0], ...values: (string | number | null)[]) =>
      values.toSorted((a, b) => compareKeys(toSortKey(type, a), toSortKey(type, b)))
    expect(sorted('BigInt', '10', '9', null, '-1', `${2n ** 200n}`)).toEqual(['-1', '9', '10', `${2n ** 200n}`, null])
    expect(sorted('BigDecimal', '10', '9.5', '1e3', '-0.5', null)).toEqual(['-0.5', '9.5', '10', '1e3', null])
    expect(sorted('Int', 10, 9)).toEqual([9, 10])
    expect(sorted('String', 'b', 'a', 'B', null, '10', '9')).toEqual(['10', '9', 'B', 'a', 'b', null])
  })

  it('keep every digit of whole numbers', () => {
    const [less, more] = [(2n ** 64n).toString(), (2n ** 64n + 1n).toString()]
    expect(compareKeys(toSortKey('BigInt', less), toSortKey('BigInt', more))).toBe(-1)
    // As decimals they are one: both databases compare the nearest doubles.
    expect(compareKeys(toSortKey('BigDecimal', less), toSortKey('BigDecimal', more))).toBe(0)
  })

  const key = fc.option(fc.bigInt({ min: -5n, max: 5n }))

  it('have one order', () =>
    fc.assert(
      fc.property(key, key, key, (a, b, c) => {
        expect(compareKeys(a, b)).toBe(0 - compareKeys(b, a))
        if (compareKeys(a, b) <= 0 && compareKeys(b, c) <= 0) expect(compareKeys(a, c)).toBeLessThanOrEqual(0)
      }),
    ))
})

describe('a condition', () => {
  it.each([
    ['BigInt', '7', 'is', '7', true],
    ['BigInt', '7', 'not', '7', false],
    ['BigInt', '10', 'gt', '9', true],
    ['BigInt', '9', 'gt', '9', false],
    ['BigInt', '9', 'gte', '9', true],
    ['BigInt', '-10', 'lt', '-9', true],
    ['BigDecimal', '1.50', 'lte', '1.5', true],
    ['Int', 7, 'in', ['6', '7'], true],
    ['Int', 7, 'not_in', ['6', '7'], false],
    ['Int', 7, 'in', [], false],
    ['Int', 7, 'not_in', [], true],
    ['String', 'Tidewater', 'contains', 'ide', true],
    ['String', 'Tidewater', 'contains', 'IDE', false],
    ['String', 'Tidewater', 'contains_nocase', 'IDE', true],
    ['String', 'Tidewater', 'not_contains', 'ide', false],
    ['String', 'Tidewater', 'not_contains_nocase', 'X', true],
    ['String', 'Tidewater', 'starts_with', 'Tide', true],
    ['String', 'Tidewater', 'starts_with_nocase', 'tIDE', true],
    ['String', 'Tidewater', 'not_starts_with', 'Tide', false],
    ['String', 'Tidewater', 'ends_with', 'water', true],
    ['String', 'Tidewater', 'ends_with', 'Water', false],
    ['String', 'Tidewater', 'not_ends_with_nocase', 'WATER', false],
    ['String', '100%_', 'contains', '%_', true],
    ['String', '1000', 'contains', '%_', false],
  ] as const)('of %s: %j %s %j is %s', (type, shown, operator, wanted, met) =>
    expect(meets(type, shown, operator, wanted)).toBe(met),
  )

  it('is met by nothing where nothing is asked for, and by nothing else', () => {
    expect([meets('BigInt', null, 'is', null), meets('BigInt', '0', 'is', null)]).toEqual([true, false])
    expect([meets('BigInt', null, 'not', null), meets('BigInt', '0', 'not', null)]).toEqual([false, true])
    for (const operator of ['is', 'not', 'gt', 'lt'] as const) expect(meets('BigInt', null, operator, '5')).toBe(false)
    for (const operator of ['in', 'not_in'] as const) expect(meets('BigInt', null, operator, ['5'])).toBe(false)
  })
})

it('an operator that is not on texts is a bug of the schema', () => {
  expect(textTest('not_ends_with_nocase')).toEqual({ test: 'ends_with', negated: true, nocase: true })
  expect(() => textTest('gt')).toThrow(new SchemaFault('gt is no operator on texts'))
})
