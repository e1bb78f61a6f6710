import type { Db, Tx } from './store.ts'

/** Before a hash that needs the pepper; earlier versions stored the plain SHA-256 of a code. */
export const keyedCodePrefix = 'keyed:'

/** A user's codes, by their hashes: the new ones end those before them. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, codeHashes: readonly string[]): Promise<void> {
  await deleteRecoveryCodesOf(tx, userId)
  await tx
    .insertInto('recovery_codes')
    .values(codeHashes.map((code_hash) => ({ code_hash, user_id: userId })))
    .execute()
}

/** Whether a code is this user's, and was not used. @param codeHashes as it may be stored */
export async function isRecoveryCodeOf(db: Db | Tx, userId: string, codeHashes: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('code_hash', 'in', codeHashes)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when somebody else has used it meanwhile, or it never was this user's */
export async function useRecoveryCode(tx: Tx, userId: string, codeHashes: readonly string[]): Promise<boolean> {
  const row = await tx
    .deleteFrom('recovery_codes')
    .where('code_hash', 'in', codeHashes)
    .where('user_id', '=', userId)
    .returning('code_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Replaces plain hashes by what `toKeyed` makes of each. @returns how many, `max` at most */
export async function keyRecoveryCodes(tx: Tx, toKeyed: (plainHash: string) => string, max: number): Promise<number> {
  const plain = tx.selectFrom('recovery_codes').select('code_hash').where('code_hash', 'not like', `${keyedCodePrefix}%`)
  const rows = await plain.limit(max).execute()
  for (const { code_hash } of rows)
    await tx
      .updateTable('recovery_codes')
      .set({ code_hash: toKeyed(code_hash) })
      .where('code_hash', '=', code_hash)
      .execute()
  return rows.length
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
