import type { Db, Tx } from './store.ts'

/** A user's codes, by their SHA-256: the new ones end those before them. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, codeHashes: readonly string[]): Promise<void> {
  await deleteRecoveryCodesOf(tx, userId)
  await tx
    .insertInto('recovery_codes')
    .values(codeHashes.map((code_hash) => ({ code_hash, user_id: userId })))
    .execute()
}

/** Whether it is this user's, and was not used. */
export async function isRecoveryCodeOf(db: Db | Tx, userId: string, codeHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('code_hash', '=', codeHash)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when somebody else has used it meanwhile, or it never was this user's */
export async function useRecoveryCode(tx: Tx, userId: string, codeHash: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('recovery_codes')
    .where('code_hash', '=', codeHash)
    .where('user_id', '=', userId)
    .returning('code_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** How many of a user's codes have not been used. */
export async function countRecoveryCodes(db: Db | Tx, userId: string): Promise<number> {
  const rows = await db.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', userId).execute()
  return rows.length
}

/** All of a user: before new ones are stored, and with the account. */
export async function deleteRecoveryCodesOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}
