import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../server/store/openStore.ts'
import { compareStores } from './compareStores.ts'

const [pool, trader] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
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

/** A swap of a pool and a trader. Each store gives them ids in the order in which it meets them. */
function addSwap(name: string, met: readonly string[]): void {
  const db = new DatabaseSync(file(name))
  for (const address of met) db.prepare('insert into addresses (address) values (?)').run(address)
  const columns = db
    .prepare("select name from pragma_table_info('swaps')")
    .all()
    .map((column) => String(column['name']))
  const ids: Readonly<Record<string, string>> = { pool, sender: trader, recipient: trader }
  const values = columns.map((column) => (ids[column] ? `(select id from addresses where address = '${ids[column]}')` : '1'))
  db.exec(`insert into swaps (${columns.join()}) values (${values.join()})`)
  db.close()
}

it('compares addresses, and not the ids that each index has for them', () => {
  addSwap('own', [pool, trader])
  addSwap('scratch', [trader, pool])
  expect(compareStores(file('own'), file('scratch')).differences).toEqual([])
})

it('finds a swap of another trader', () => {
  addSwap('own', [pool, trader])
  addSwap('scratch', [pool, `0x${'cc'.repeat(20)}`, trader])
  const db = new DatabaseSync(file('scratch'))
  db.exec('update swaps set sender = 2')
  db.close()
  expect(compareStores(file('own'), file('scratch')).differences).toEqual([
    'swaps: 1 rows only in the index, 1 only in the one from scratch',
  ])
})

it('names the table and how many rows only one of them has', () => {
  addBlock('own', 7)
  addBlock('scratch', 8)
  expect(compareStores(file('own'), file('scratch')).differences).toEqual([
    'kept_since: 1 rows only in the index, 1 only in the one from scratch',
  ])
})
