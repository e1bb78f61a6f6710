import { describe, expect, it } from 'vitest'
import { getEntity } from './entities/entities.ts'
import { type PageArguments, parsePage } from './page.ts'
import { everything } from './parseWhere.ts'

const [swap, pool, hours] = [getEntity('Swap'), getEntity('Pool'), getEntity('PoolHourData')]

function refusal(args: PageArguments, entity = swap): string {
  try {
    parsePage(entity, args)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing was refused'
}

describe('a list that says nothing', () => {
  it('is the first hundred by their ids', () => {
    const wanted = { condition: everything, order: { kind: 'id' }, descending: false, first: 100, skip: 0 }
    expect(parsePage(swap, {})).toEqual(wanted)
    expect(parsePage(swap, { first: null, skip: null, orderBy: null, orderDirection: null, where: null })).toEqual(wanted)
  })
})

describe('how much of a list is asked for', () => {
  it('may be nothing, and as much as The Graph allows', () => {
    expect(parsePage(swap, { first: 0, skip: 5_000 })).toMatchObject({ first: 0, skip: 5_000 })
    expect(parsePage(swap, { first: 1_000 })).toMatchObject({ first: 1_000 })
  })

  it.each([
    [{ first: 1_001 }, 'The `first` argument must be between 0 and 1000, but is 1001'],
    [{ first: -1 }, 'The `first` argument must be between 0 and 1000, but is -1'],
    [{ skip: 5_001 }, 'The `skip` argument must be between 0 and 5000, but is 5001'],
    [{ first: 1.5 }, 'Invalid value provided for argument `first`: Float(1.5)'],
    [{ skip: Number.NaN }, 'Invalid value provided for argument `skip`: Float(NaN)'],
  ])('is refused as %j', (args, message) => expect(refusal(args)).toBe(message))
})

describe('the order of a list', () => {
  const nameOf = (orderBy: string, entity = swap) => {
    const { order } = parsePage(entity, { orderBy })
    if (order.kind === 'id') return 'id'
    return order.kind === 'field' ? order.field.name : `${order.field.name} ${order.child.name}`
  }

  it('goes by a field, by another entity, or by a field of that', () => {
    expect([nameOf('id'), nameOf('amountUSD'), nameOf('pool'), nameOf('pool__feeTier')]).toEqual([
      ...['id', 'amountUSD', 'pool', 'pool feeTier'],
    ])
    expect(nameOf('transaction__timestamp')).toBe('transaction timestamp')
  })

  it('descends when it is told to, in these words alone', () => {
    expect([
      parsePage(swap, { orderDirection: 'desc' }).descending,
      parsePage(swap, { orderDirection: 'asc' }).descending,
    ]).toEqual([...[true, false]])
    expect(refusal({ orderDirection: 'DESC' })).toBe('Invalid value provided for argument `orderDirection`: String("DESC")')
  })

  it('is refused by what a type does not have, at either step', () => {
    for (const orderBy of ['nothing', 'pool__nothing', 'amountUSD__id', 'pool__swaps', '', 'pool__token0'])
      expect([orderBy, refusal({ orderBy })]).toEqual([
        orderBy,
        `Invalid value provided for argument \`orderBy\`: String("${orderBy}")`,
      ])
  })

  it('is refused by lists, and by what only the node knows: neither can be sorted', () => {
    const refused = (orderBy: string, type: string) => `Ordering by \`${orderBy}\` is not supported for type \`${type}\``
    expect(refusal({ orderBy: 'swaps' }, pool)).toBe(refused('swaps', 'Pool'))
    expect(refusal({ orderBy: 'whitelistPools' }, getEntity('Token'))).toBe(refused('whitelistPools', 'Token'))
    expect(refusal({ orderBy: 'origin' })).toBe(refused('origin', 'Swap'))
    expect(refusal({ orderBy: 'transaction__gasPrice' })).toBe(refused('transaction__gasPrice', 'Swap'))
  })
})

describe('a filter of a list', () => {
  it('is read by the type that the list is of', () => {
    expect(parsePage(hours, { where: { periodStartUnix: 7 } }).condition).not.toEqual(everything)
    expect(refusal({ where: { periodStartUnix: 7 } })).toContain('Invalid value provided for argument `where`')
  })
})
