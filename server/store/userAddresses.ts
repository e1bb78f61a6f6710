import type { Address } from '@chainboard/core'
import type { Db, Tx } from './store.ts'

/** A user's wallets, and a user's favourite tokens. */
type Table = 'user_wallets' | 'favorites'

/** In the order in which they were added. */
export async function listUserAddresses(db: Db | Tx, table: Table, userId: string): Promise<Address[]> {
  const rows = await db.selectFrom(table).select('address').where('user_id', '=', userId).orderBy('position').execute()
  return rows.map(({ address }) => address)
}

/** Puts it last. The account must be locked, and the address not be in the list. */
export async function insertUserAddress(tx: Tx, table: Table, userId: string, address: Address): Promise<void> {
  const last = await tx
    .selectFrom(table)
    .select((e) => e.fn.max('position').as('position'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  await tx
    .insertInto(table)
    .values({ user_id: userId, address, position: (last?.position ?? 0) + 1 })
    .execute()
}

/** Says whether it was in the list. */
export async function deleteUserAddress(tx: Tx, table: Table, userId: string, address: Address): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom(table)
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Of one list of the user, when the account is deleted. */
export async function deleteUserAddresses(tx: Tx, table: Table, userId: string): Promise<void> {
  await tx.deleteFrom(table).where('user_id', '=', userId).execute()
}
