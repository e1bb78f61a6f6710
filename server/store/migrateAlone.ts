import { setTimeout } from 'node:timers/promises'
import { Failure } from '@chainboard/core'
import { sql } from 'kysely'
import { connectForLocks, endConnection, makeSessionName, migrateKey, tryLock } from './lockConnection.ts'
import { lockRetryMs } from './lockFolder.ts'
import { findForeignMigration, knownMigrations, readMigrations } from './migrateStore.ts'
import type { Db } from './store.ts'

/** Servers that start together wait so long for the one that makes the tables; a supervisor starts them again after that. */
const waitMs = 60_000

/**
 * Migrates a PostgreSQL that several servers may be starting on: one after the other. A leader that runs meanwhile, of the version before,
 * writes nothing from then on.
 * @throws Failure `store-in-use` when another process takes too long
 */
export async function migrateAlone(databaseUrl: string, db: Db, migrate: () => Promise<void>): Promise<void> {
  if (await isUpToDate(db)) return migrate()
  const client = await connectForLocks(databaseUrl, makeSessionName())
  try {
    const until = performance.now() + waitMs
    while (await tryLock(client, migrateKey)) {
      if (performance.now() > until)
        throw new Failure(
          'store-in-use',
          'Another server has been changing the tables of the database for a minute: start this one again later.',
        )
      await setTimeout(lockRetryMs)
    }
    if (!(await isUpToDate(db))) await endEpoch(db)
    await migrate()
  } finally {
    await endConnection(client)
  }
}

/** Nothing is to be done here, or nothing can be. */
async function isUpToDate(db: Db): Promise<boolean> {
  const done = await readMigrations(db, 'postgres')
  return done.length >= knownMigrations.length || findForeignMigration(done, knownMigrations) !== undefined
}

async function endEpoch(db: Db): Promise<void> {
  const { rows } = await sql<{ found: string | null }>`select to_regclass('leadership')::text as found`.execute(db)
  if (rows[0]?.found) await sql`update leadership set epoch = epoch + 1, holder = 'a migration'`.execute(db)
}
