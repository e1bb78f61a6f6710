import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getEntity } from './entities/entities.ts'
import { filterKeys, type Operator } from './operators.ts'
import { everything, parseValue, parseWhere } from './parseWhere.ts'

const swap = getEntity('Swap')
const messageOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing was thrown'
}

describe('a value of a filter', () => {
  it.each([
    ['Int', '-7', -7],
    ['Int', 7, 7],
    ['BigInt', '+0012', '12'],
    ['BigInt', '-0', '0'],
    ['BigInt', `${2n ** 255n}`, `${2n ** 255n}`],
    ['BigInt', 12, '12'],
    ['BigDecimal', '1.50', '1.50'],
    ['BigDecimal', '.5', '.5'],
    ['BigDecimal', '-1e-9', '-1e-9'],
    ['Bytes', 'ABcd', '0xabcd'],
    ['Bytes', '0xAB', '0xab'],
    ['Bytes', '', '0x'],
    ['Id of bytes', '0xAB#1', '0xab#1'],
    ['ID', '0xAB#1', '0xAB#1'],
    ['String', 'Ünïcode 🎈', 'Ünïcode 🎈'],
    ['String', 5, '5'],
  ] as const)('of %s: %j is %j', (type, value, parsed) => expect(parseValue(type, value, 'is')).toBe(parsed))

  it.each([
    ['Int', '7.5', 'Failed to decode `Int` value: `7.5`'],
    ['Int', '99999999999', 'Failed to decode `Int` value: `99999999999`'],
    ['BigInt', '1e3', 'Failed to decode `BigInt` value: `1e3`'],
    ['BigInt', '', 'Failed to decode `BigInt` value: ``'],
    ['BigDecimal', '1e9999', 'Failed to decode `BigDecimal` value: `1e9999`'],
    ['BigDecimal', 'NaN', 'Failed to decode `BigDecimal` value: `NaN`'],
    ['Bytes', '0xabc', 'Failed to decode `Bytes` value: `0xabc`'],
    ['Bytes', 'xyz', 'Failed to decode `Bytes` value: `xyz`'],
    ['Id of bytes', {}, 'Failed to decode `Bytes` value: `{}`'],
    ['String', true, 'Failed to decode `String` value: `true`'],
    ['String', ['a'], 'Failed to decode `String` value: `["a"]`'],
    ['String', 'x'.repeat(1_001), 'Failed to decode `String` value: `text of more than 1000 characters`'],
    ['ID', 'a\0', 'Failed to decode `ID` value: `text with a NUL or half of a surrogate pair`'],
    ['String', '\udc00', 'Failed to decode `String` value: `text with a NUL or half of a surrogate pair`'],
  ] as const)('of %s is not %j', (type, value, message) => expect(messageOf(() => parseValue(type, value, 'is'))).toBe(message))

  it('may be nothing where that can be asked', () => {
    expect([parseValue('BigInt', null, 'is'), parseValue('BigInt', null, 'not')]).toEqual([null, null])
    expect(messageOf(() => parseValue('BigInt', null, 'gt'))).toBe('Filter not supported by value `null`: `_gt`')
  })

  it('of a whole number is the number that it says, however it is written', () =>
    fc.assert(
      fc.property(fc.bigInt(), fc.nat({ max: 5 }), (number, zeros) => {
        const sign = number < 0n ? '-' : '+'
        const digits = (number < 0n ? -number : number).toString()
        expect(parseValue('BigInt', `${sign}${'0'.repeat(zeros)}${digits}`, 'is')).toBe(number.toString())
      }),
    ))

  it('of any kind is refused in words of The Graph, or taken', () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('Int', 'BigInt', 'BigDecimal', 'Bytes', 'ID', 'String'), (value, type) => {
        const said = messageOf(() => parseValue(type, value, 'is'))
        expect(said).toMatch(/^(nothing was thrown|Failed to decode `\w+` value: `)/)
      }),
    ))
})

describe('a filter', () => {
  it('of nothing is met by all', () => {
    expect([parseWhere(swap, undefined), parseWhere(swap, null)]).toEqual([everything, everything])
    expect(parseWhere(swap, {})).toEqual({ kind: 'all', of: [] })
    expect(parseWhere(swap, { tick: undefined })).toEqual({ kind: 'all', of: [] })
  })

  it('is all of its conditions, any of an `or`, and all of an `or` of nothing', () => {
    const summary = (condition: ReturnType<typeof parseWhere>): unknown => {
      if (condition.kind === 'all' || condition.kind === 'any') return [condition.kind, ...condition.of.map(summary)]
      if (condition.kind === 'compare') return `${condition.field.name} ${condition.operator} ${condition.value}`
      if (condition.kind === 'nested') return [condition.field.name, summary(condition.condition)]
      return condition.kind === 'changedSince' && condition.block
    }
    expect(summary(parseWhere(swap, { tick_gt: 5 }))).toBe('tick gt 5')
    expect(summary(parseWhere(swap, { tick_gt: 5, amountUSD_lte: '1.5' }))).toEqual(['all', 'tick gt 5', 'amountUSD lte 1.5'])
    expect(summary(parseWhere(swap, { or: [{ tick: 1 }, { tick: 2, sender_contains: 'AB' }] }))).toEqual([
      ...['any', 'tick is 1'],
      ['all', 'tick is 2', 'sender contains 0xab'],
    ])
    expect(summary(parseWhere(swap, { or: [] }))).toEqual(['all'])
    expect(summary(parseWhere(swap, { and: { tick: 1 } }))).toEqual(['all', 'tick is 1'])
    expect(summary(parseWhere(swap, { pool_: { token0_: { symbol_starts_with: 'U' } } }))).toEqual([
      'pool',
      ['token0', 'symbol starts_with U'],
    ])
    expect(summary(parseWhere(swap, { _change_block: { number_gte: 7 } }))).toBe(7)
    // The id of a pool is bytes, whose letters have no case.
    expect(summary(parseWhere(swap, { pool: '0xAB' }))).toBe('pool is 0xab')
    expect(summary(parseWhere(swap, { tick_in: 5 }))).toBe('tick in 5')
    expect(summary(parseWhere(swap, { tick_not_in: [5, '6'] }))).toBe('tick not_in 5,6')
  })

  const deep = (levels: number): object => (levels === 0 ? { tick: 1 } : { and: [deep(levels - 1)] })

  it.each([
    ['no object', 7, 'Invalid value provided for argument `where`: Int(7)'],
    ['a list', [], 'Invalid value provided for argument `where`: List([])'],
    ['an unknown key', { ticks: 1 }, 'Invalid value provided for argument `where`: Object({"ticks": Int(1)})'],
    ['a block that is none', { _change_block: { number_gte: '7' } }, 'Invalid value provided for argument `_change_block`'],
    ['no block at all', { _change_block: null }, 'Invalid value provided for argument `_change_block`: Null'],
    ['what the node knows', { origin: '0xab' }, 'Filtering by `origin` is not supported'],
    ['too many levels', deep(9), 'A filter is nested more than 8 levels deep'],
    ['too many conditions', { or: Array.from({ length: 200 }, () => ({ tick: 1 })) }, 'A filter has more than 200 conditions'],
    ['too long a list', { tick_in: Array(1_001).fill(1) }, 'A list of a filter has more than 1000 values'],
    [
      'too many values together',
      { or: Array.from({ length: 11 }, () => ({ tick_in: Array(1_000).fill(1) })) },
      'The lists of a filter have more than 10000 values together',
    ],
  ])('may not be %s', (_, where, message) => expect(messageOf(() => parseWhere(swap, where))).toContain(message))

  it('may go as far as the limits', () => {
    expect(parseWhere(swap, deep(8)).kind).toBe('all')
    expect(parseWhere(swap, { or: Array.from({ length: 199 }, () => ({ tick: 1 })) }).kind).toBe('any')
    expect(parseWhere(swap, { tick_in: Array(1_000).fill(1) }).kind).toBe('compare')
  })
})

describe('the keys of a filter', () => {
  const keysOf = (name: Parameters<typeof getEntity>[0], field: string) =>
    [...filterKeys(getEntity(name)).keys()].filter((key) => key === field || key.startsWith(`${field}_`))

  it('are those that The Graph makes of each kind of field', () => {
    expect(keysOf('Swap', 'tick')).toEqual([
      'tick',
      'tick_not',
      'tick_gt',
      'tick_lt',
      'tick_gte',
      'tick_lte',
      'tick_in',
      'tick_not_in',
    ])
    expect(keysOf('Swap', 'sender').slice(8)).toEqual(['sender_contains', 'sender_not_contains'])
    // Text, and one level into the other entity.
    expect(keysOf('Swap', 'pool')).toHaveLength(21)
    expect(keysOf('Swap', 'pool').at(-1)).toBe('pool_')
    expect(keysOf('Token', 'symbol')).toHaveLength(20)
    expect(keysOf('Pool', 'swaps')).toEqual(['swaps_'])
  })

  it('take a list where they compare with several values', () => {
    const isList = (name: Parameters<typeof getEntity>[0], key: string) => {
      const found = filterKeys(getEntity(name)).get(key)
      return found?.kind === 'compare' ? found.isList : undefined
    }
    const operators: readonly Operator[] = ['in', 'not_in']
    for (const operator of operators) expect(isList('Swap', `tick_${operator}`)).toBe(true)
    expect([isList('Swap', 'tick'), isList('Swap', 'pool_')]).toEqual([false, undefined])
    expect([isList('Token', 'whitelistPools'), isList('Token', 'whitelistPools_not_contains')]).toEqual([true, true])
  })
})
