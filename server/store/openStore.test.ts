import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { expect, it } from 'vitest'
import { createTempStores } from '../testing/tempStores.ts'
import { openSqlite } from './sqlite/openSqlite.ts'

const stores = createTempStores()

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
