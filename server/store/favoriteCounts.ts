import type { Address } from '@chainboard/core'
import type { Db, Tx } from './store.ts'

export type FavoriteCount = { readonly token: Address; readonly users: number }

/** The tokens that most users have in their favourites; of equals the lower address first. */
export async function listTopFavorites(db: Db | Tx, limit: number): Promise<FavoriteCount[]> {
  const rows = await db.selectFrom('favorite_counts').selectAll().orderBy('users', 'desc').orderBy('token').limit(limit).execute()
  return rows.map(({ token, users }) => ({ token, users }))
}

/** One user more, or one less, for each of the tokens. In the order of addresses, so that two transactions never wait for each other. */
export async function changeFavoriteCounts(tx: Tx, tokens: readonly Address[], by: 1 | -1): Promise<void> {
  for (const token of [...tokens].sort()) {
    await tx
      .insertInto('favorite_counts')
      .values({ token, users: by })
      .onConflict((c) => c.column('token').doUpdateSet((e) => ({ users: e('favorite_counts.users', '+', by) })))
      .execute()
    if (by < 0) await tx.deleteFrom('favorite_counts').where('token', '=', token).where('users', '<=', 0).execute()
  }
}
