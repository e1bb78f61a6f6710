import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { openSqlite } from './sqlite/openSqlite.ts'
import type { Db, Tx } from './store.ts'

const stores = createTempStores()
/** More than any reading has: where the other one never has its turn, it comes after them all. */
const statementsMax = 20_000

it('a migration that ends half-way on SQLite leaves none of its tables', async () => {
  const location = await stores.locate('sqlite')
  if (!('file' in location)) throw new Error('SQLite lives in a file')
  const half: Migration = {
    async up(db) {
      await sql`create table first_half (id integer)`.execute(db)
      throw new Error('ended here')
    },
  }
  const opening = openSqlite(location.file, async (db) => {
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => ({ half }) } }).migrateToLatest()
    if (error) throw error
  })
  await expect(opening).rejects.toThrow('ended here')
  const db = new DatabaseSync(location.file, { readOnly: true })
  expect(db.prepare("select name from sqlite_master where name = 'first_half'").all()).toEqual([])
  db.close()
})

it.each(engines)(
  'a long reading of one state holds up no other reading, and sees nothing that came since (%s)',
  async (engine) => {
    const store = await stores.openNew(engine)
    const { readConsistently, read, write } = store
    const countCredits = async (db: Db | Tx) => (await db.selectFrom('credits').selectAll().execute()).length
    let other: number | undefined
    const seen = await readConsistently(async (tx) => {
      const before = await countCredits(tx)
      await write((w) => w.insertInto('credits').values({ service: 'a', month: '2026-11', spent: 1 }).execute())
      void countCredits(read).then((count) => {
        other = count
      })
      for (let i = 0; other === undefined && i < statementsMax; i += 1) await countCredits(tx)
      return [before, await countCredits(tx)]
    })
    expect([seen, other]).toEqual([[0, 0], 1])
  },
)
