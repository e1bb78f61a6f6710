import type { Db, Tx } from './store.ts'
import { fromUserRow, type User } from './users.ts'

export type Session = { readonly tokenHash: string; readonly userId: string; readonly expiresAtSeconds: number }

/** A hash that is there already fails the transaction: tokens are random. */
export async function insertSession(tx: Tx, { tokenHash, userId, expiresAtSeconds }: Session): Promise<void> {
  await tx.insertInto('sessions').values({ token_hash: tokenHash, user_id: userId, expires_at: expiresAtSeconds }).execute()
}

/** Whose session it is; undefined when there is none, or it has ended. */
export async function findSessionUser(db: Db | Tx, tokenHash: string, nowSeconds: number): Promise<User | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', nowSeconds)
    .executeTakeFirst()
  return row && fromUserRow(row)
}

/** Signs the browser out. Nothing happens without such a session. */
export async function deleteSession(tx: Tx, tokenHash: string): Promise<void> {
  await tx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** Leaves a user's `keep` youngest sessions. */
export async function trimSessions(tx: Tx, userId: string, keep: number): Promise<void> {
  const youngest = tx
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', userId)
    .orderBy('expires_at', 'desc')
    .orderBy('token_hash')
    .limit(keep)
  await tx.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', 'not in', youngest).execute()
}

/** Nobody can use them any more: `findSessionUser` ignores them already. */
export async function deleteEndedSessions(tx: Tx, nowSeconds: number): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_at', '<=', nowSeconds).execute()
}

/** Signs the user out everywhere. */
export async function deleteSessionsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}
