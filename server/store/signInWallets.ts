import type { Address } from '@chainboard/core'
import type { Db, Tx } from './store.ts'

/** A wallet whose signature signs its user in. `address` in lower case, times in unix seconds. */
export type SignInWallet = {
  readonly address: Address
  readonly userId: string
  readonly name: string
  readonly createdAtSeconds: number
  /** Undefined for one that was never used. */
  readonly lastUsedAtSeconds: number | undefined
}

/** Says whether nobody had it, this user included. */
export async function insertSignInWallet(tx: Tx, wallet: SignInWallet): Promise<boolean> {
  const { address, userId, name, createdAtSeconds, lastUsedAtSeconds } = wallet
  const row = await tx
    .insertInto('sign_in_wallets')
    .values({ address, user_id: userId, name, created_at: createdAtSeconds, last_used_at: lastUsedAtSeconds ?? null })
    .onConflict((c) => c.column('address').doNothing())
    .returning('address')
    .executeTakeFirst()
  return row !== undefined
}

/** Whose it is; undefined when it is nobody's. */
export async function findWalletOwner(db: Db | Tx, address: Address): Promise<string | undefined> {
  const row = await db.selectFrom('sign_in_wallets').select('user_id').where('address', '=', address).executeTakeFirst()
  return row?.user_id
}

/** Of one user, in the order in which they were linked. */
export async function listSignInWallets(db: Db | Tx, userId: string): Promise<SignInWallet[]> {
  const rows = await db
    .selectFrom('sign_in_wallets')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('address')
    .execute()
  return rows.map((row) => ({
    address: row.address,
    userId: row.user_id,
    name: row.name,
    createdAtSeconds: row.created_at,
    lastUsedAtSeconds: row.last_used_at ?? undefined,
  }))
}

/** Notes that it was used. Says whether the user still has it. */
export async function useSignInWallet(
  tx: Tx,
  { userId, address, seconds }: { userId: string; address: Address; seconds: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('sign_in_wallets')
    .set({ last_used_at: seconds })
    .where('address', '=', address)
    .where('user_id', '=', userId)
    .returning('address')
    .executeTakeFirst()
  return row !== undefined
}

/** Says whether the user had it. */
export async function deleteSignInWallet(tx: Tx, userId: string, address: Address): Promise<boolean> {
  const row = await tx
    .deleteFrom('sign_in_wallets')
    .where('address', '=', address)
    .where('user_id', '=', userId)
    .returning('address')
    .executeTakeFirst()
  return row !== undefined
}

/** The account is deleted. */
export async function deleteSignInWalletsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sign_in_wallets').where('user_id', '=', userId).execute()
}
