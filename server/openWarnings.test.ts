import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { ListedToken } from './market/tokenList.ts'
import { openWarnings } from './openWarnings.ts'

const id = `0x${'1'.repeat(40)}` as Address
const token = { id } as ListedToken
/** 2026-11-24 22:33 UTC. */
const startMs = 1_795_559_580_000

/** Readings of a token every half minute, and after each the supply that is served and the codes that it is served with. */
function follow(
  readings: readonly { supply?: number; stored?: number; decimals?: number | undefined }[],
  { wrapped }: { wrapped?: Address } = {},
) {
  let nowMs = startMs - 30_000
  const warnings = openWarnings({ find: () => token }, () => nowMs, wrapped)
  const served = readings.map(({ supply = 1_000_000, stored = 1_000_000, decimals }) => {
    nowMs += 30_000
    warnings.onReading(id, { supply, storedSupply: stored, decimals: 18, decimalsOnChain: decimals })
    return [warnings.findSupply(id), ...warnings.warn(token).map(({ code }) => code)]
  })
  return { served, texts: () => warnings.warn(token).map(({ text }) => text) }
}

it('a supply that jumps is served as it was until it is served with its warning', () => {
  const jumped = { supply: 1e15, stored: 1_000_000 }
  expect(follow([{}, {}, {}, jumped, jumped, jumped]).served).toEqual([
    [1_000_000],
    [1_000_000],
    [1_000_000],
    [1_000_000],
    [1e15, 'supply-changed'],
    [1e15, 'supply-changed'],
  ])
})

it('also one that jumps before it was read three times, against what is stored', () => {
  const { served, texts } = follow([{ supply: 1e15 }, { supply: 1e15, stored: 1e15 }])
  expect(served).toEqual([[1_000_000], [1e15, 'supply-changed']])
  expect(texts()).toEqual(['The supply changed from 1,000,000 to 1.00e+15 before 2026-11-24 22:33:30 UTC'])
})

it('that of the wrapped coin is served without a warning: anybody can wrap more for some minutes', () => {
  const wraps = { supply: 1_125_000 }
  expect(follow([{}, {}, {}, wraps, wraps, wraps, {}, {}, {}], { wrapped: id }).served.map(([, ...codes]) => codes)).toEqual(
    Array(9).fill([]),
  )
  expect(follow([{}, {}, {}, wraps, wraps], { wrapped: id }).served.at(-1)).toEqual([1_125_000])
})

it('one that grows by little is served at once, and one that is 10 % off in steps with its warning', () => {
  expect(follow([{}, { supply: 1_090_000 }, { supply: 1_180_000 }, { supply: 1_180_000 }]).served).toEqual([
    [1_000_000],
    [1_090_000],
    [1_090_000],
    [1_180_000, 'supply-changed'],
  ])
})

it('one that was not known is no change, and left to the index until it was read three times', () => {
  expect(follow([{ stored: 0 }, { stored: 0 }, { stored: 0 }]).served).toEqual([[undefined], [undefined], [1_000_000]])
})

it('decimals that are not what the index has are warned of when two readings in a row say so, until they are', () => {
  const decimals = [18, 6, 18, 6, undefined, 8, 18].map((each) => ({ decimals: each }))
  expect(follow(decimals).served.map(([, ...codes]) => codes)).toEqual([...[[], [], [], []], ...[[], ['decimals-changed'], []]])
  expect(follow(decimals.slice(0, -1)).texts()).toEqual([
    'Its contract now reports 8 decimals instead of 18. Price and supply here still use 18',
  ])
})
