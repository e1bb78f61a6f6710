import type { Db, Tx } from './store.ts'

/** Marks a signed message as used until it would be too old anyway. Says whether it was not used before. */
export async function spendMessage(tx: Tx, digest: string, expiresAtSeconds: number): Promise<boolean> {
  const row = await tx
    .insertInto('spent_messages')
    .values({ digest, expires_at: Math.ceil(expiresAtSeconds) })
    .onConflict((c) => c.column('digest').doNothing())
    .returning('digest')
    .executeTakeFirst()
  return row !== undefined
}

/** By the SHA-256 of the message. One that is too old anyway may be forgotten, and is then not spent. */
export async function isMessageSpent(db: Db | Tx, digest: string): Promise<boolean> {
  return (await db.selectFrom('spent_messages').select('digest').where('digest', '=', digest).executeTakeFirst()) !== undefined
}

/** Forgets those that are refused for their age from now on. */
export async function deleteOldMessages(tx: Tx, nowSeconds: number): Promise<void> {
  await tx.deleteFrom('spent_messages').where('expires_at', '<=', nowSeconds).execute()
}
