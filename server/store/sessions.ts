import type { Db, Tx } from './store.ts'
import { fromUserRow, type User } from './users.ts'

export type Session = {
  readonly tokenHash: string
  readonly userId: string
  readonly startedAtSeconds: number
  readonly expiresAtSeconds: number
  /** `Firefox on Linux`; empty when it was not said. */
  readonly browserName: string
  /** Of the browser's token; undefined for sessions of before these were kept. */
  readonly browserHash: string | undefined
}

/** A hash that is there already fails the transaction: tokens are random. */
export async function insertSession(tx: Tx, session: Session): Promise<void> {
  const { tokenHash, userId, startedAtSeconds, expiresAtSeconds, browserName, browserHash } = session
  await tx
    .insertInto('sessions')
    .values({
      ...{ token_hash: tokenHash, user_id: userId, expires_at: expiresAtSeconds, started_at: startedAtSeconds },
      ...{ browser_name: browserName, browser_hash: browserHash ?? null },
    })
    .execute()
}

/** Where the user is signed in, the newest first. */
export async function listSessions(db: Db | Tx, userId: string, nowSeconds: number): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', nowSeconds)
    .orderBy('started_at', 'desc')
    .orderBy('token_hash')
    .execute()
  return rows.map((row) => ({
    tokenHash: row.token_hash,
    userId: row.user_id,
    startedAtSeconds: row.started_at,
    expiresAtSeconds: row.expires_at,
    browserName: row.browser_name,
    browserHash: row.browser_hash ?? undefined,
  }))
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

/** Signs the user out everywhere but in one session. */
export async function deleteOtherSessions(tx: Tx, userId: string, keptTokenHash: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '!=', keptTokenHash).execute()
}

/** Signs the user out everywhere. */
export async function deleteSessionsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}
