// A process that stops in the middle of its migrations and waits to be killed: node halfMigration.ts <location as JSON>
import { sql } from 'kysely'
import { migrateStore } from '../store/migrateStore.ts'
import { migrationsFor } from '../store/migrations/index.ts'
import { openPostgres } from '../store/openPostgres.ts'
import { openSqlite } from '../store/sqlite/openSqlite.ts'
import type { Db, Store } from '../store/store.ts'
import type { StoreLocation } from '../store/storeLocation.ts'

const location = JSON.parse(process.argv[2] ?? '') as StoreLocation

const migrate = (db: Db, engine: Store['engine']) =>
  migrateStore(db, engine, {
    ...migrationsFor(engine),
    '0098-half': {
      up: async (tx) => {
        await sql`create table half_made (id integer)`.execute(tx)
        await sql`delete from users`.execute(tx)
        process.send?.('in the middle')
        await new Promise(() => undefined)
      },
    },
  })

if ('file' in location) await openSqlite(location.file, (db) => migrate(db, 'sqlite'))
else await migrate(openPostgres(location.databaseUrl).read, 'postgres')
