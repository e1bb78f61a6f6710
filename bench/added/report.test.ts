import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import type { Case, Measured } from './addedCase.ts'
import { toSection } from './report.ts'

const one: Case = {
  name: 'the wrapped coin is listed',
  chain: { seed: 's', chainId: 1, blocks: 2_592_000, pools: 10, swaps: 1_000, periodSeconds: 2, headSeconds: 1_790_000_000 },
  ...{ limits: { latencyMs: 50, blocksMax: 1_000 }, listsQuotes: true, minutes: 1, folder: '' },
  signal: new AbortController().signal,
}
const served = { ms: new Map([['list', [5, 1, 3]]]), errors: [] }
const measured: Measured = {
  ...{ swaps: 1_100_000, quiet: served, busy: { ...served, errors: ['/assets.json: 503'] } },
  seen: {
    ...{ shown: 0.26, right: new Map([['priceInUsd', 1.25]]), wrong: new Map([['volume24h', 2]]), compared: 1_234 },
    phases: new Map([['reading', 0.5]]),
  },
  calls: { own: 12, ownBlocks: 12_000, ownContracts: 24, others: 3 },
  quietCalls: { own: 0, ownBlocks: 0, ownContracts: 0, others: 2 },
  comparison: undefined,
}

it('shows when each figure was right, and what that cost other tokens', () => {
  const rows = new Map(readRows(toSection({ ...quiet, cases: [[one, measured]] })).map(([what = '', found]) => [what, found]))
  expect(Object.fromEntries(rows)).toMatchObject({
    ...{ 'swaps in the index': '1,100,000', 'token shown': '0.3 s', 'priceInUsd right': '1.3 s', 'priceLow right': 'never' },
    ...{ 'pools being read': '0.5 s', 'pools in, blocks being valued': 'never', 'all blocks valued': 'not in time' },
    ...{ 'comparisons at the same block': '1,234', 'wrong figures': 'volume24h 2 times' },
    ...{ '`eth_getLogs` of old blocks for the token': '12', 'blocks in them': '12,000', 'contracts in them': '24' },
    ...{ 'the same in the 30 s before': '2', 'list of other tokens before, p99 and max': '5, 5 ms' },
    ...{ 'chart of other tokens meanwhile, p99 and max': 'not requested', 'errors of other tokens': '1' },
    'rows that differ': 'not compared',
  })
})

it('shows the rows compared in the end, and those that differ', () => {
  const compare = (differences: string[]) => {
    const compared = { ...measured, comparison: { rows: 5_000, differences } }
    return readRows(toSection({ ...quiet, cases: [[one, compared]] })).slice(-2)
  }
  expect(compare([])).toEqual([
    ['rows compared in the end', '5,000'],
    ['rows that differ', 'none'],
  ])
  expect(compare(['swaps: 1 row', 'ticks: 2 rows'])[1]?.[1]).toBe('swaps: 1 row; ticks: 2 rows')
})

it('states the length of the chain in days', () => {
  expect(toSection({ ...quiet, cases: [[one, measured]] })).toContain('The chain has 2,592,000 blocks in 60 days')
})
