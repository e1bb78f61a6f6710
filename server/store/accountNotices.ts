import type { AccountNoticesTable } from './accountSchema.ts'
import type { Db, Tx } from './store.ts'

/** Something that happened to an account, which its owner should know of. */
export type AccountNotice = {
  readonly id: string
  readonly userId: string
  readonly atSeconds: number
  readonly kind: AccountNoticesTable['kind']
  /** What the browser is called that did it. */
  readonly browserName: string
  /** The session that did it: it is not told. */
  readonly sessionHash: string
}

/** Forgets the user's oldest ones beyond `keep`. */
export async function insertAccountNotice(tx: Tx, notice: AccountNotice, keep: number): Promise<void> {
  const { id, userId, atSeconds, kind, browserName, sessionHash } = notice
  await tx
    .insertInto('account_notices')
    .values({ id, user_id: userId, at: atSeconds, kind, browser_name: browserName, session_hash: sessionHash })
    .execute()
  const newest = tx
    .selectFrom('account_notices')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(keep)
  await tx.deleteFrom('account_notices').where('user_id', '=', userId).where('id', 'not in', newest).execute()
}

/** What other sessions than `sessionHash` did, the newest first. */
export async function listAccountNotices(db: Db | Tx, userId: string, sessionHash: string): Promise<AccountNotice[]> {
  const rows = await db
    .selectFrom('account_notices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('session_hash', '!=', sessionHash)
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    atSeconds: row.at,
    kind: row.kind,
    browserName: row.browser_name,
    sessionHash: row.session_hash,
  }))
}

/** Only one of this user that another session brought about. @returns whether there was one */
export async function deleteAccountNotice(
  tx: Tx,
  { id, userId, sessionHash }: Pick<AccountNotice, 'id' | 'userId' | 'sessionHash'>,
) {
  const row = await tx
    .deleteFrom('account_notices')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('session_hash', '!=', sessionHash)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** All of a user whose account is deleted. */
export async function deleteAccountNoticesOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('account_notices').where('user_id', '=', userId).execute()
}

/** The owner has had time enough to see them. */
export async function deleteOldAccountNotices(tx: Tx, beforeSeconds: number): Promise<void> {
  await tx.deleteFrom('account_notices').where('at', '<', beforeSeconds).execute()
}
