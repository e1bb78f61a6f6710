import { describe, expect, it } from 'vitest'
import { toValuation } from '../networkFile.ts'
import { alpha, alphaPool, networkFile, usdc, wrapped, wrappedPool } from '../testing/market.ts'
import { makeBook } from './book.ts'
import { choosePath, splitParts } from './choosePath.ts'
import { getEntity } from './entities/entities.ts'
import type { EntityName } from './entity.ts'
import { type PageArguments, parsePage } from './page.ts'

const state = { tvl_usd: '0', total_volume_usd: '0', total_fees_usd: '0', tx_count: 1, fee: 3_000 }
const book = makeBook(
  { factory: '0xfa', valuation: toValuation(networkFile) },
  {
    ...{ block: { number: 9, hash: '0x09', timestampSeconds: 90 }, deployment: 'test', days: [] },
    pools: [
      { ...state, address: wrappedPool, token0: usdc, token1: wrapped },
      { ...state, address: alphaPool, token0: alpha, token1: wrapped, fee: 10_000 },
    ],
    tokens: [alpha, usdc, wrapped].map((address) => ({ address, symbol: 'T', name: 'T', decimals: 18, tx_count: 1 })),
  },
)
const hash = `0x${'c1'.repeat(32)}`

/** How a list is read: `direct timestamp` along a column, or what narrows what has to be looked through, and the order it rides on. */
function pathOf(name: EntityName, args: PageArguments): string {
  const entity = getEntity(name)
  const page = parsePage(entity, args)
  const path = choosePath(entity, page, splitParts(entity, page.condition, book))
  if (path.kind === 'direct') return `direct ${path.column ?? 'points'}`
  const list = (parts: readonly { readonly serves: string }[]) => parts.map(({ serves }) => serves).join('+') || 'nothing'
  return `counted ${list(path.narrows)}${path.rides ? ` rides ${path.rides.column} along ${list(path.rides.along)}` : ''}`
}
const byTime = { orderBy: 'timestamp' }

describe('swaps in the order of time', () => {
  it('come out of the index of time without a condition, within a stretch of time, and for one pool', () => {
    expect(pathOf('Swap', byTime)).toBe('direct timestamp')
    expect(pathOf('Swap', { ...byTime, where: { timestamp_gte: 5, timestamp_lt: 9 } })).toBe('direct timestamp')
    expect(pathOf('Swap', { ...byTime, where: { pool: wrappedPool, timestamp_gt: 5 } })).toBe('direct timestamp')
  })

  it('have to be looked through for two pools: neither index has them in one order', () => {
    expect(pathOf('Swap', { ...byTime, where: { pool_in: [wrappedPool, alphaPool] } })).toBe(
      'counted owner rides timestamp along nothing',
    )
    // Two conditions that leave one pool each are not one pool.
    expect(pathOf('Swap', { ...byTime, where: { pool: wrappedPool, token1: wrapped } })).toBe(
      'counted owner+owner rides timestamp along nothing',
    )
  })

  it('have to be looked through for a figure that no index has, along the order', () => {
    expect(pathOf('Swap', { ...byTime, where: { amountUSD_gt: '5' } })).toBe('counted nothing rides timestamp along nothing')
    expect(pathOf('Swap', { ...byTime, where: { amountUSD_gt: '5', timestamp_gt: 7 } })).toBe(
      'counted time rides timestamp along time',
    )
  })

  it('are narrowed by no stretch of time that is none', () => {
    expect(pathOf('Swap', { ...byTime, where: { timestamp_not: 5 } })).toBe('counted nothing rides timestamp along nothing')
    expect(pathOf('Swap', { ...byTime, where: { timestamp_in: [5, 6] } })).toBe('counted nothing rides timestamp along nothing')
  })
})

describe('swaps in another order', () => {
  it('are all looked through, but for those that a pool or a time leaves', () => {
    expect(pathOf('Swap', { orderBy: 'amountUSD' })).toBe('counted nothing')
    expect(pathOf('Swap', { orderBy: 'amountUSD', where: { pool: wrappedPool, timestamp_gt: 5, tick: 7 } })).toBe(
      'counted owner+time',
    )
  })

  it('come out of the index of hashes by id, within a stretch of ids, too', () => {
    expect(pathOf('Swap', {})).toBe('direct tx_hash')
    expect(pathOf('Swap', { where: { id_gt: hash } })).toBe('direct tx_hash')
    expect(pathOf('Swap', { where: { pool: wrappedPool } })).toBe('counted owner rides tx_hash along nothing')
    expect(pathOf('Swap', { where: { id_gt: hash, tick: 7 } })).toBe('counted head rides tx_hash along head')
  })

  it('are read by what is known of them, whatever the order and the other conditions', () => {
    for (const where of [{ id: `${hash}#1` }, { id_in: [`${hash}#1`] }, { transaction: hash }, { transaction_in: [hash] }])
      expect([where, pathOf('Swap', { orderBy: 'amountUSD', where: { ...where, tick: 7 } })]).toEqual([where, 'direct points'])
    // Not by what they are not.
    expect(pathOf('Swap', { where: { transaction_not: hash } })).toBe('counted nothing rides tx_hash along nothing')
    expect(pathOf('Swap', { where: { id_not_in: [`${hash}#1`] } })).toBe('counted nothing rides tx_hash along nothing')
  })

  it('are read by no index where one of several conditions is enough', () => {
    const where = { or: [{ pool: wrappedPool }, { id: `${hash}#1` }] }
    expect(pathOf('Swap', { ...byTime, where })).toBe('counted nothing rides timestamp along nothing')
  })
})

describe('hours, whose ids begin with their pool', () => {
  it('come by id for any pools, and for one pool within a time', () => {
    expect(pathOf('PoolHourData', { where: { pool_in: [wrappedPool, alphaPool] } })).toBe('direct pool')
    expect(pathOf('PoolHourData', { where: { pool: wrappedPool, periodStartUnix_gt: 5 } })).toBe('direct pool')
    expect(pathOf('PoolHourData', { where: { pool_in: [wrappedPool, alphaPool], periodStartUnix_gt: 5 } })).toBe(
      'counted owner+time rides pool along owner',
    )
  })

  it('are narrowed by their pools rather than by a stretch of ids', () => {
    const where = { id_gt: wrappedPool, pool: alphaPool, open_gt: '1' }
    expect(pathOf('PoolHourData', { orderBy: 'high', where })).toBe('counted owner')
    expect(pathOf('PoolHourData', { orderBy: 'high', where: { id_gt: wrappedPool } })).toBe('counted head')
  })
})

describe('conditions on the pool of a row', () => {
  const ownersOf = (where: object) => {
    const entity = getEntity('Swap')
    return splitParts(entity, parsePage(entity, { where }).condition, book).map(({ serves, owners }) => `${serves} ${owners}`)
  }

  it('are so many pools, found in memory, also by their tokens', () => {
    expect(ownersOf({ pool_: { feeTier: 10_000 } })).toEqual(['owner 1'])
    expect(ownersOf({ token1: wrapped })).toEqual(['owner 2'])
    expect(ownersOf({ token0_: { id: alpha }, pool_: { feeTier: 5 } })).toEqual(['owner 1', 'owner 0'])
    // The pool itself may be unknown: then no row has it.
    expect(ownersOf({ pool_in: [wrappedPool, alphaPool, usdc] })).toEqual(['owner 3'])
  })

  it('are taken apart where they stand together, however deep', () => {
    expect(ownersOf({ and: [{ pool: wrappedPool }, { and: [{ timestamp_gt: 5 }, { tick: 7 }] }] })).toEqual([
      ...['owner 1', 'time 0', 'rest 0'],
    ])
  })
})
