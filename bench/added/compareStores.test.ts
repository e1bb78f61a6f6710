import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../server/store/openStore.ts'
import { compareStores } from './compareStores.ts'

let folder: string
const file = (name: string) => join(folder, `${name}.db`)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chainboard-compare-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['own', 'scratch']) await (await openStore({ file: file(name) })).close()
})

function addBlock(name: string, number: number): void {
  const db = new DatabaseSync(file(name))
  db.exec(`insert into kept_since (kind, since) values ('swaps', ${number})`)
  db.close()
}

it('finds two indexes of today equal, however many rows they have', () => {
  expect(compareStores(file('own'), file('scratch')).differences).toEqual([])
  const { rows } = compareStores(file('own'), file('scratch'))
  addBlock('own', 7)
  addBlock('scratch', 7)
  expect(compareStores(file('own'), file('scratch'))).toEqual({ rows: rows + 1, differences: [] })
})

it('names the table and how many rows only one of them has', () => {
  addBlock('own', 7)
  addBlock('scratch', 8)
  expect(compareStores(file('own'), file('scratch')).differences).toEqual([
    'kept_since: 1 rows only in the index, 1 only in the one from scratch',
  ])
})
