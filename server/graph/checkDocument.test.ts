import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { checkDocument, isNestedTooDeep } from './checkDocument.ts'

const repeat = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i)).join(' ')

/** What a query is refused with; `taken` when it is not. */
function check(query: string, variables: Readonly<Record<string, unknown>> = {}, operationName?: string): string {
  try {
    checkDocument(parse(query), variables, operationName)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'taken'
}

describe('a query at its limits', () => {
  it('may be ten deep, and not eleven', () => {
    const deep = (levels: number) => `{ pools ${'{ token0 '.repeat(levels)} { id } ${'}'.repeat(levels)} }`
    expect([check(deep(8)), check(deep(9))]).toEqual(['taken', 'query has a depth that exceeds the limit of `10`'])
  })

  it('may have 150 fields at its root, however many are below them', () => {
    const roots = (count: number) => `{ ${repeat(count, (i) => `a${i}: pool(id: "0x01") { id tick }`)} }`
    expect([check(roots(150)), check(roots(151))]).toEqual(['taken', 'A query has more than 150 fields at its root'])
  })

  it('may name a field 20 times in one place, and more in several places', () => {
    const same = (count: number) => `{ pools { ${repeat(count, () => 'id')} } }`
    expect([check(same(20)), check(same(21))]).toEqual(['taken', 'A query selects `id` more than 20 times'])
    expect(check(`{ ${repeat(5, (i) => `a${i}: pools { ${repeat(20, () => 'id')} }`)} }`)).toBe('taken')
  })

  it('counts a fragment at each of its uses, and the one of it that is never used', () => {
    const fields = repeat(100, (i) => `f${i}: id`)
    const uses = (count: number) =>
      `fragment F on Pool { ${fields} } { ${repeat(count, (i) => `a${i}: pools(first: 1) { ...F }`)} }`
    // 100 of the fragment itself, and 102 for each use.
    expect([check(uses(28)), check(uses(29))]).toEqual(['taken', 'A query selects more than 3000 fields'])
  })

  it('may have 50 fragments', () => {
    const fragments = (count: number) => `${repeat(count, (i) => `fragment F${i} on Pool { id }`)} { pools { id } }`
    expect([check(fragments(50)), check(fragments(51))]).toEqual(['taken', 'A query has more than 50 fragments'])
  })

  it('has no fragment within itself, and none that is missing, be it far from what runs', () => {
    const circle = 'fragment A on Pool { ...B } fragment B on Pool { ...A }'
    expect(check(`${circle} { pools { id } }`)).toContain('within itself')
    expect(check('{ pools { ...None } }')).toBe('fragment `None` is not defined')
    // Beside each other is not within.
    expect(check('fragment A on Pool { id } { pools { ...A ...A } }')).toBe('taken')
  })

  it('only reads', () => {
    expect(check('mutation { pools { id } }')).toBe('Not supported: mutation')
    expect(check('query A { pools { id } } subscription B { pools { id } }', {}, 'A')).toBe('Not supported: subscription')
  })

  it('may hold 500 objects in variables and arguments together', () => {
    const query = 'query ($w: Pool_filter) { pools(where: $w) { id } }'
    // The variables themselves, what each holds, and the same once more at its use.
    const objects = (count: number) => ({ w: { or: Array.from({ length: count }, () => ({})) } })
    expect([check(query, objects(248)), check(query, objects(249))]).toEqual([
      ...['taken', 'A query holds more than 500 objects in its variables and arguments'],
    ])
  })
})

describe('how many entities a query could give', () => {
  const refused = (count: number) => `query potentially returns \`${count}\` entities or more`

  it('is its lists times those within them, a hundred where nothing is said', () => {
    // 1,000 and 1,000 x 149.
    expect(check('{ pools(first: 1000) { swaps(first: 149) { id } } }')).toBe('taken')
    expect(check('{ pools(first: 1000) { swaps(first: 150) { id } } }')).toContain(refused(151_000))
    expect(check('{ pools { swaps { ticks: id } mints(first: 1000) { id } burns(first: 400) { id } } }')).toContain(
      refused(150_100),
    )
  })

  it('is no more for one other entity, and for one that is asked for by its id', () => {
    expect(check('{ swaps(first: 1000) { pool { token0 { whitelistPools(first: 149) { id } } } } }')).toBe('taken')
    expect(check('{ pool(id: "0x01") { swaps(first: 1000) { transaction { swaps(first: 1000) { id } } } } }')).toBe('taken')
  })

  it('takes a transaction for one of ten events, whatever is asked for', () => {
    expect(check('{ transactions(first: 1000) { mints(first: 1000) { id } burns(first: 1000) { id } } }')).toBe('taken')
    expect(check('{ transactions(first: 1000) { mints(first: 3) { pool { swaps(first: 49) { id } } } } }')).toContain(
      refused(151_000),
    )
  })

  it('is read out of variables and their defaults, of the operation that runs', () => {
    const query = 'query ($n: Int = 1000) { pools(first: 1000) { swaps(first: $n) { id } } }'
    expect(check(query)).toContain(refused(1_001_000))
    expect(check(query, { n: 1 })).toBe('taken')
    expect(check('query ($n: Int) { pools(first: 1000) { swaps(first: $n) { id } } }', { n: 1_001 })).toContain(
      'between 0 and 1000',
    )
    const two = 'query A ($n: Int) { pools(first: $n) { id } } query B ($n: Int) { pools(skip: $n) { id } }'
    expect([check(two, { n: 4_000 }, 'B'), check(two, { n: 4_000 }, 'A')]).toEqual([
      ...['taken', 'The `first` argument must be between 0 and 1000, but is 4000'],
    ])
  })

  it('cannot be worked out of what is no number', () => {
    expect(check('{ pools(first: "5") { id } }')).toBe('Invalid value provided for argument `first`: String("5")')
    expect(check('{ pools(first: null) { id } }')).toBe('taken')
  })
})

describe('how deep the brackets of a text are', () => {
  const isDeep = (text: string) => isNestedTooDeep(text, 2)

  it('counts all three kinds, and those that are open at once', () => {
    expect([isDeep('{([])}'), isDeep('{}{}{}{(a)}')]).toEqual([true, false])
  })

  it('does not count what stands in a string or a comment', () => {
    for (const text of [
      '{ a(b: "{{{{") }',
      '{ # {{{{\n }',
      '{ a(b: """{{ " {{""") }',
      '{ a(b: "\\"{{{{") }',
      '{ a(b: """\\"""{{{{""") }',
    ])
      expect([text, isDeep(text)]).toEqual([text, false])
  })

  it('goes on counting behind them', () => {
    for (const text of ['"a" {{{', '# a\n{{{', '"""a""" {{{', '"a\\\\" {{{', '"open\n{{{'])
      expect([text, isDeep(text)]).toEqual([text, true])
  })
})
