import type { Address } from '@chainboard/core'
import type { Selectable } from 'kysely'
import type { AdminSessionsTable } from './keySchema.ts'
import type { Db, Tx } from './store.ts'

/** An operator's session as it is kept: never what its cookie holds. */
export type AdminSession = {
  /** Safe to show. */
  readonly id: string
  readonly wallet: Address
  /** What the browser calls itself. */
  readonly agent: string
  readonly createdAtSeconds: number
  /** Up to a minute old. */
  readonly usedAtSeconds: number
}

/** A hash that is there already fails the transaction: tokens are random. */
export async function insertAdminSession(tx: Tx, tokenHash: string, session: AdminSession): Promise<void> {
  const { id, wallet, agent, createdAtSeconds, usedAtSeconds } = session
  await tx
    .insertInto('admin_sessions')
    .values({ id, token_hash: tokenHash, wallet, agent, created_at: createdAtSeconds, used_at: usedAtSeconds })
    .execute()
}

/** Sessions that neither lasted nor were left unused for too long: those that began and were used after these seconds. */
export type Lively = { readonly createdAfter: number; readonly usedAfter: number }

/** By what the cookie holds, and only under its own id. */
export async function findAdminSession(
  db: Db | Tx,
  { id, tokenHash }: { readonly id: string; readonly tokenHash: string },
  lively: Lively,
): Promise<AdminSession | undefined> {
  const row = await selectLively(db, lively).where('token_hash', '=', tokenHash).where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** The newest first. @param wallet of one operator; undefined: of all */
export async function listAdminSessions(db: Db | Tx, wallet: Address | undefined, lively: Lively): Promise<AdminSession[]> {
  const all = selectLively(db, lively).orderBy('created_at', 'desc').orderBy('id')
  return (await (wallet === undefined ? all : all.where('wallet', '=', wallet)).execute()).map(fromRow)
}

/** Notes a use. Nothing happens without such a session. */
export async function touchAdminSession(tx: Tx, id: string, atSeconds: number): Promise<void> {
  await tx.updateTable('admin_sessions').set({ used_at: atSeconds }).where('id', '=', id).execute()
}

/** @returns the session that ended; undefined when there was none */
export async function deleteAdminSession(tx: Tx, id: string): Promise<AdminSession | undefined> {
  const row = await tx.deleteFrom('admin_sessions').where('id', '=', id).returningAll().executeTakeFirst()
  return row && fromRow(row)
}

/** Leaves an operator's `keep` youngest. */
export async function trimAdminSessions(tx: Tx, wallet: Address, keep: number): Promise<void> {
  const youngest = tx
    .selectFrom('admin_sessions')
    .select('id')
    .where('wallet', '=', wallet)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(keep)
  await tx.deleteFrom('admin_sessions').where('wallet', '=', wallet).where('id', 'not in', youngest).execute()
}

/** Nobody can use them any more: the other functions ignore them already. */
export async function deleteEndedAdminSessions(tx: Tx, { createdAfter, usedAfter }: Lively): Promise<void> {
  await tx
    .deleteFrom('admin_sessions')
    .where((e) => e.or([e('created_at', '<=', createdAfter), e('used_at', '<=', usedAfter)]))
    .execute()
}

function selectLively(db: Db | Tx, { createdAfter, usedAfter }: Lively) {
  return db.selectFrom('admin_sessions').selectAll().where('created_at', '>', createdAfter).where('used_at', '>', usedAfter)
}

function fromRow({ id, wallet, agent, created_at, used_at }: Selectable<AdminSessionsTable>): AdminSession {
  return { id, wallet, agent, createdAtSeconds: created_at, usedAtSeconds: used_at }
}
