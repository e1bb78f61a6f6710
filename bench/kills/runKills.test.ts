import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import type { Killed } from './killOften.ts'
import { run, toSection } from './runKills.ts'

const killed: Killed = {
  ...{ store: 'SQLite', kills: 100, reorgs: 25, acknowledged: 4_321, lost: [], answered: 9_000, overAdmitted: 0 },
  ...{ startsMs: [900, 1_500, 1_240], difference: undefined },
}

it('shows what was lost, and the median of the starts', () => {
  const lost = { ...killed, store: 'PostgreSQL' as const, lost: ['a user', 'a key'], overAdmitted: 1, difference: 'swaps: row 3' }
  expect(readRows(toSection(quiet, [killed, lost]))).toEqual([
    ['SQLite', '100', '25', '4321', '0', '9000', '0', 'equal', '1.2 s'],
    ['PostgreSQL', '100', '25', '4321', '2', '9000', '1', '**differs**', '1.2 s'],
  ])
})

it('refuses an unknown store before it starts anything', async () => {
  const { signal } = new AbortController()
  await expect(run(['--store', 'mysql'], signal)).rejects.toThrow('--store: found mysql, expected sqlite, postgres or both')
  await expect(run(['--store', 'toString'], signal)).rejects.toThrow('--store: found toString')
})
