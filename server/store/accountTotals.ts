import type { Db, Tx } from './store.ts'

const names = ['users', 'usersWithWallets', 'usersWithFavorites', 'wallets', 'favorites'] as const

/** Sums over all accounts, kept with every change, so that nobody ever counts rows for them. */
export type AccountTotals = Readonly<Record<(typeof names)[number], number>>

/** Zeros before the first account. */
export async function readTotals(db: Db | Tx): Promise<AccountTotals> {
  const rows = await db.selectFrom('account_totals').selectAll().execute()
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const of = (name: keyof AccountTotals) => values.get(name) ?? 0
  return {
    users: of('users'),
    usersWithWallets: of('usersWithWallets'),
    usersWithFavorites: of('usersWithFavorites'),
    wallets: of('wallets'),
    favorites: of('favorites'),
  }
}

/** Comes last in its transaction: everybody waits for these rows. Always in the same order, so that nobody waits in a circle. */
export async function changeTotals(tx: Tx, changes: Partial<AccountTotals>): Promise<void> {
  for (const name of names) {
    const by = changes[name] ?? 0
    if (by === 0) continue
    await tx
      .insertInto('account_totals')
      .values({ name, value: by })
      .onConflict((c) => c.column('name').doUpdateSet((e) => ({ value: e('account_totals.value', '+', by) })))
      .execute()
  }
}
