import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/** Of each database, as its other indexes of swaps are: what SQLite leaves out is in the row that an entry leads to. */
const swapColumns = { sqlite: 'recipient, timestamp', postgres: 'recipient, timestamp, block_number, log_index' } as const

/** Finds the swaps that paid out to a wallet, and the pools of a token, without looking at all of them. */
export function addTradesOfWallets(engine: Store['engine']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql.raw(`create index swaps_by_recipient on swaps (${swapColumns[engine]})`).execute(db)
      for (const side of ['token0', 'token1'] as const)
        await db.schema.createIndex(`pools_by_${side}`).on('pools').column(side).execute()
    },
  }
}
