import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DevicesTable } from '../accountSchema.ts'

/** A browser's token is one user's alone. Those that several users had are forgotten: they sign in there as if in a new one. */
export function makeBrowsersOwn(): Migration {
  return {
    async up(db: Kysely<{ devices: DevicesTable }>) {
      const shared = db
        .selectFrom('devices')
        .select('hash')
        .where('kind', '=', 'browser')
        .groupBy('hash')
        .having((e) => e.fn.countAll(), '>', 1)
      await db.deleteFrom('devices').where('kind', '=', 'browser').where('hash', 'in', shared).execute()
      await db.schema
        .createIndex('devices_own_browsers')
        .unique()
        .on('devices')
        .columns(['kind', 'hash'])
        .where('kind', '=', 'browser')
        .execute()
    },
  }
}
