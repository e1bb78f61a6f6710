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

/** Of the user's of this kind, the oldest `keep` and the newest `keep` stay: many new ones push out no old one, and none of another kind. */
export async function insertAccountNotice(tx: Tx, notice: AccountNotice, keep: number): Promise<void> {
  const { id, userId, atSeconds, kind, browserName, sessionHash } = notice
  await tx
    .insertInto('account_notices')
    .values({ id, user_id: userId, at: atSeconds, kind, browser_name: browserName, session_hash: sessionHash })
    .execute()
  const alike = tx.selectFrom('account_notices').select('id').where('user_id', '=', userId).where('kind', '=', kind).limit(keep)
  await tx
    .deleteFrom('account_notices')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('id', 'not in', alike.orderBy('at', 'desc').orderBy('id'))
    .where('id', 'not in', alike.orderBy('at').orderBy('id'))
    .execute()
}

/** What other sessions than `sessionHash` did, the newest first; with an empty one what all did. */
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

export async function deleteAccountNotice(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('account_notices').where('id', '=', id).execute()
}

/** All of a user, or those of one kind. */
export async function deleteAccountNoticesOf(tx: Tx, userId: string, kind?: AccountNotice['kind']): Promise<void> {
  const all = tx.deleteFrom('account_notices').where('user_id', '=', userId)
  await (kind === undefined ? all : all.where('kind', '=', kind)).execute()
}

/** The owner has had time enough to see them. */
export async function deleteOldAccountNotices(tx: Tx, beforeSeconds: number): Promise<void> {
  await tx.deleteFrom('account_notices').where('at', '<', beforeSeconds).execute()
}
