import { sql } from 'kysely'
import type { StoreReader } from '../store/store.ts'
import { readKeptSums, recountAccounts } from './recountAccounts.ts'

const userTables = ['user_wallets', 'favorites', 'sessions', 'devices', 'sign_in_codes'] as const

/** Kept sums that are not those of their rows, rows of no user, a damaged file: what first is wrong, in words; undefined when nothing is. */
export async function findBrokenRows({ engine, read }: Pick<StoreReader, 'engine' | 'read'>): Promise<string | undefined> {
  const [kept, counted] = [await readKeptSums(read), await recountAccounts(read)].map((each) => JSON.stringify(each))
  if (kept !== counted) return `the kept sums are ${kept}, the rows ${counted}`
  for (const table of userTables) {
    const orphans = await sql`select 1 from ${sql.table(table)} where user_id not in (select id from users)`.execute(read)
    if (orphans.rows.length > 0) return `${table}: ${orphans.rows.length} rows of nobody`
  }
  if (engine !== 'sqlite') return undefined
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(read)
  return rows[0]?.integrity_check === 'ok' ? undefined : `integrity_check: ${rows[0]?.integrity_check}`
}
