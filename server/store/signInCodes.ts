import type { Db, Tx } from './store.ts'

export type SignInCode = { readonly codeHash: string; readonly userId: string; readonly expiresAtSeconds: number }

/** A user has one code at a time: the new one ends those before it. */
export async function replaceSignInCode(tx: Tx, { codeHash, userId, expiresAtSeconds }: SignInCode): Promise<void> {
  await deleteSignInCodesOf(tx, userId)
  await tx.insertInto('sign_in_codes').values({ code_hash: codeHash, user_id: userId, expires_at: expiresAtSeconds }).execute()
}

/** Whether it is this user's, and still good. */
export async function isSignInCodeOf(
  db: Db | Tx,
  { codeHash, userId }: Pick<SignInCode, 'codeHash' | 'userId'>,
  nowSeconds: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_codes')
    .select('code_hash')
    .where('code_hash', '=', codeHash)
    .where('user_id', '=', userId)
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirst()
  return row !== undefined
}

/** It is used up. @returns whether it was there, so that it is used once */
export async function deleteSignInCode(tx: Tx, { codeHash, userId }: Pick<SignInCode, 'codeHash' | 'userId'>): Promise<boolean> {
  const row = await tx
    .deleteFrom('sign_in_codes')
    .where('code_hash', '=', codeHash)
    .where('user_id', '=', userId)
    .returning('code_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** The user has no code any more that opens anything. */
export async function deleteSignInCodesOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sign_in_codes').where('user_id', '=', userId).execute()
}

/** Nobody can use them any more: `isSignInCodeOf` ignores them already. */
export async function deleteEndedSignInCodes(tx: Tx, nowSeconds: number): Promise<void> {
  await tx.deleteFrom('sign_in_codes').where('expires_at', '<=', nowSeconds).execute()
}
