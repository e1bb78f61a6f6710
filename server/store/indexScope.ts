import type { Address } from '@chainboard/core'
import { sql } from 'kysely'
import { inSlices } from './rows.ts'
import type { Db, Tx } from './store.ts'

/** What the index holds: which pools, and by which settings its dollars are. */
export type StoredScope = {
  /** Settings of the dollars as a text: equal texts give equal dollars. */
  readonly dollars: string
  /** Tokens whose pools are all in the index; undefined: every pool of the exchange is. */
  readonly tokens: ReadonlySet<Address> | undefined
  /** Tokens whose pools were added later, while blocks are still to be valued again for them. */
  readonly unvalued: ReadonlySet<Address>
  /** Those of `unvalued` for which the newest blocks are valued: only older ones are left. */
  readonly newestValued: ReadonlySet<Address>
}

/** The scope of an index in which nothing is to be valued again. */
export type WholeScope = Pick<StoredScope, 'dollars' | 'tokens'>

const theOnlyRow = 1
/** What `is_valued` says of a token's blocks. */
const [noneValued, allValued, newestValued] = [0, 1, 2] as const

/** @returns undefined for a store that was never synced */
export async function findScope(db: Db | Tx): Promise<StoredScope | undefined> {
  const row = await db.selectFrom('index_scope').selectAll().where('id', '=', theOnlyRow).executeTakeFirst()
  if (!row) return undefined
  const rows = await db.selectFrom('scope_tokens').selectAll().execute()
  const toSet = (of: typeof rows) => new Set(of.map(({ token }) => token))
  return {
    dollars: row.dollars,
    tokens: row.all_pools === 1 ? undefined : toSet(rows),
    unvalued: toSet(rows.filter(({ is_valued }) => is_valued !== allValued)),
    newestValued: toSet(rows.filter(({ is_valued }) => is_valued === newestValued)),
  }
}

/** Another text after every change of an index's scope. */
export async function readScopeMark(db: Db | Tx): Promise<string> {
  const row = await db.selectFrom('index_scope').select(['dollars', 'all_pools']).where('id', '=', theOnlyRow).executeTakeFirst()
  const sums = await db
    .selectFrom('scope_tokens')
    .select((e) => [
      e.fn.countAll<number>().as('tokens'),
      e.fn.sum<number | null>('is_valued').as('valued'),
      // Of three values two sums are needed to tell how many there are of each.
      sql<number | null>`sum(is_valued * is_valued)`.as('squares'),
    ])
    .executeTakeFirst()
  return JSON.stringify([row, sums])
}

/** Writes the scope of an index that begins: nothing in it is to be valued again. */
export async function putScope(tx: Tx, { dollars, tokens }: WholeScope): Promise<void> {
  await tx.deleteFrom('index_scope').execute()
  await tx.deleteFrom('scope_tokens').execute()
  await tx
    .insertInto('index_scope')
    .values({ id: theOnlyRow, dollars, all_pools: tokens ? 0 : 1 })
    .execute()
  await insertTokens(tx, tokens ?? [], allValued)
}

/** Nothing is valued by it here: who changes the settings has blocks valued again in the same transaction. */
export async function setDollars(tx: Tx, dollars: string): Promise<void> {
  await tx.updateTable('index_scope').set({ dollars }).where('id', '=', theOnlyRow).execute()
}

/** All pools of these tokens are in the index from now on; undefined: every pool is. */
export async function widenScope(tx: Tx, tokens: ReadonlySet<Address> | undefined): Promise<void> {
  if (tokens) return insertTokens(tx, tokens, noneValued)
  await tx.deleteFrom('scope_tokens').execute()
  await tx.updateTable('index_scope').set({ all_pools: 1 }).where('id', '=', theOnlyRow).execute()
}

/** Nothing is left to be valued again for tokens that were added. */
export async function markValued(tx: Tx): Promise<void> {
  await tx.updateTable('scope_tokens').set({ is_valued: allValued }).where('is_valued', '!=', allValued).execute()
}

/** Tokens that were added for which not even the newest blocks are valued, by address. */
export async function listLackingNewest(db: Db | Tx): Promise<Address[]> {
  const rows = await db.selectFrom('scope_tokens').select('token').where('is_valued', '=', noneValued).orderBy('token').execute()
  return rows.map(({ token }) => token)
}

/** The newest blocks are valued for these tokens. */
export async function markNewestValued(tx: Tx, tokens: readonly Address[]): Promise<void> {
  await inSlices(tokens, (slice) =>
    tx
      .updateTable('scope_tokens')
      .set({ is_valued: newestValued })
      .where('token', 'in', slice)
      .where('is_valued', '=', noneValued)
      .execute(),
  )
}

async function insertTokens(tx: Tx, tokens: Iterable<Address>, is_valued: typeof noneValued | typeof allValued): Promise<void> {
  const rows = [...tokens].map((token) => ({ token, is_valued }))
  await inSlices(rows, (slice) =>
    tx
      .insertInto('scope_tokens')
      .values(slice)
      .onConflict((c) => c.column('token').doNothing())
      .execute(),
  )
}
