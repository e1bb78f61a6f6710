import { sql } from 'kysely'
import { type AccountTotals, readTotals } from '../store/accountTotals.ts'
import type { Db } from '../store/store.ts'

/** What the kept sums of accounts must be, counted row by row. */
export async function recountAccounts(db: Db) {
  const count = async (
    table: 'users' | 'user_wallets' | 'favorites',
    column: 'id' | 'user_id' | 'address',
    distinct: boolean,
  ) => {
    const counted = sql<number>`count(${distinct ? sql`distinct ${sql.ref(column)}` : sql.ref(column)})`.as('rows')
    return Number((await db.selectFrom(table).select(counted).executeTakeFirstOrThrow()).rows)
  }
  const totals: AccountTotals = {
    users: await count('users', 'id', false),
    usersWithWallets: await count('user_wallets', 'user_id', true),
    usersWithFavorites: await count('favorites', 'user_id', true),
    wallets: await count('user_wallets', 'address', false),
    favorites: await count('favorites', 'address', false),
  }
  const favorites = await db
    .selectFrom('favorites')
    .select(['address as token', (e) => e.fn.countAll().as('users')])
    .groupBy('address')
    .orderBy('address')
    .execute()
  const registered = await db.selectFrom('users').select('created_at').execute()
  return {
    totals,
    favoriteCounts: favorites.map(({ token, users }) => ({ token, users: Number(users) })),
    registered: registered.length,
  }
}

/** The kept sums themselves, in the same shape. */
export async function readKeptSums(db: Db) {
  const days = await db.selectFrom('registration_days').select('users').execute()
  return {
    totals: await readTotals(db),
    favoriteCounts: await db.selectFrom('favorite_counts').selectAll().orderBy('token').execute(),
    registered: days.reduce((sum, { users }) => sum + users, 0),
  }
}
