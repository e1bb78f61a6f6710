import type { Address } from '@chainboard/core'
import type { AdminPlacesTable } from './keySchema.ts'
import type { Db, Tx } from './store.ts'

/** Where from, or as what, an operator acts. */
export type AdminPlace = { readonly wallet: Address; readonly kind: AdminPlacesTable['kind']; readonly value: string }

/** How many an operator has of a kind. */
export async function countAdminPlaces(db: Db | Tx, { wallet, kind }: Omit<AdminPlace, 'value'>): Promise<number> {
  const { count } = await db
    .selectFrom('admin_places')
    .select((e) => e.fn.countAll<number | string>().as('count'))
    .where('wallet', '=', wallet)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Notes that it was seen, and leaves the `keep` last seen of its kind. @returns whether it was known */
export async function keepAdminPlace(
  tx: Tx,
  { wallet, kind, value }: AdminPlace,
  { atSeconds, keep }: { readonly atSeconds: number; readonly keep: number },
): Promise<boolean> {
  const known = await tx
    .updateTable('admin_places')
    .set({ seen_at: atSeconds })
    .where('wallet', '=', wallet)
    .where('kind', '=', kind)
    .where('value', '=', value)
    .returning('value')
    .executeTakeFirst()
  if (known) return true
  await tx
    .insertInto('admin_places')
    .values({ wallet, kind, value, seen_at: atSeconds })
    .onConflict((c) => c.columns(['wallet', 'kind', 'value']).doNothing())
    .execute()
  const lastSeen = tx
    .selectFrom('admin_places')
    .select('value')
    .where('wallet', '=', wallet)
    .where('kind', '=', kind)
    .orderBy('seen_at', 'desc')
    .orderBy('value')
    .limit(keep)
  await tx
    .deleteFrom('admin_places')
    .where('wallet', '=', wallet)
    .where('kind', '=', kind)
    .where('value', 'not in', lastSeen)
    .execute()
  return false
}

/** Forgets networks that were not seen since: addresses go to other people. */
export async function deleteOldNetworks(tx: Tx, beforeSeconds: number): Promise<void> {
  await tx.deleteFrom('admin_places').where('kind', '=', 'network').where('seen_at', '<', beforeSeconds).execute()
}
