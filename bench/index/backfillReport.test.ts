import { describe, expect, it } from 'vitest'
import { readRows } from '../testing/readRows.ts'
import type { BackfillRun } from './backfill.ts'
import { toMedianTable, toRatioTable, toRoundTable, toRunLine } from './backfillReport.ts'

const indexer = (name: string, store: BackfillRun['indexer']['store']) => ({
  ...{ name, store, pollMs: 1_000 },
  start: () => Promise.reject(new Error('not started in this test')),
})
const ours = indexer('Chainboard', 'SQLite')
const ourPostgres = indexer('Chainboard', 'PostgreSQL')
const ponder = indexer('Ponder', 'PGlite')
const run = (
  of: BackfillRun['indexer'],
  round: number,
  startToCompleteSeconds: number,
  backfillSeconds: number,
): BackfillRun => ({
  ...{ indexer: of, round, startToCompleteSeconds, backfillSeconds, swaps: 1_000, cpuSeconds: 2, peakRssBytes: 150_000_000 },
  databaseCpuSeconds: of.store === 'PostgreSQL' ? 1.5 : undefined,
})
const runs = [run(ponder, 2, 40, 20), run(ours, 1, 4, 2), run(ponder, 1, 20, 18), run(ourPostgres, 1, 5, 4), run(ours, 2, 5, 4)]

describe('the tables of the backfill', () => {
  it('takes the median of the rounds, and has no figure that a run lacks', () => {
    // Medians of two rounds are their means: (4 + 5) / 2, (2 + 4) / 2; swaps/s: (1,000 / 2 + 1,000 / 4) / 2 = 375.
    expect(readRows(toMedianTable(runs))).toEqual([
      ['Chainboard, SQLite', '4.50', '3.00', '375', '2.0', '–', '150'],
      ['Ponder, PGlite', '30.00', '19.00', '53', '2.0', '–', '150'],
      ['Chainboard, PostgreSQL', '5.00', '4.00', '250', '2.0', '1.5', '150'],
    ])
  })

  it('lists each indexer with its rounds in order', () => {
    expect(readRows(toRoundTable(runs)).map((cells) => cells.slice(0, 3))).toEqual([
      ['Chainboard, SQLite', '1', '4.00'],
      ['Chainboard, SQLite', '2', '5.00'],
      ['Ponder, PGlite', '1', '20.00'],
      ['Ponder, PGlite', '2', '40.00'],
      ['Chainboard, PostgreSQL', '1', '5.00'],
    ])
  })

  it('compares with ours on the same kind of store in the same round', () => {
    // Round 1: 20 / 4 and 18 / 2. Round 2: 40 / 5 and 20 / 4.
    expect(readRows(toRatioTable(runs))).toEqual([['Ponder, PGlite : Chainboard, SQLite', '6.5 (5.0, 8.0)', '7.0 (9.0, 5.0)']])
  })
})

it('prints a run as a line', () => {
  expect(toRunLine(run(ours, 3, 4.567, 2))).toBe(
    'Round 3: Chainboard, SQLite: complete 4.57 s after its start, 2.00 s after its API was up',
  )
})
