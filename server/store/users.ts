import type { Selectable } from 'kysely'
import type { UsersTable } from './accountSchema.ts'
import type { Db, Tx } from './store.ts'

/** An account. `key` is its name in lower case; `pinHash` never leaves the server. */
export type User = {
  readonly id: string
  readonly key: string
  /** As it was typed at the registration. */
  readonly username: string
  readonly pinHash: string
  readonly createdAtSeconds: number
}

/** Says whether the name was free. */
export async function insertUser(tx: Tx, { id, key, username, pinHash, createdAtSeconds }: User): Promise<boolean> {
  const row = await tx
    .insertInto('users')
    .values({ id, key, username, pin_hash: pinHash, created_at: createdAtSeconds })
    .onConflict((c) => c.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * @param key the name in lower case
 * @returns undefined when nobody has it
 */
export async function findUser(db: Db | Tx, key: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('key', '=', key).executeTakeFirst()
  return row && fromUserRow(row)
}

/** @returns undefined when the account is gone */
export async function findUserById(db: Db | Tx, id: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromUserRow(row)
}

/** Holds the account until the transaction ends, so that its changes come one after the other. False when it is gone. */
export async function lockUser(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('users')
    .set((e) => ({ id: e.ref('id') }))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when the PIN was changed meanwhile, or the account is gone */
export async function replacePinHash(tx: Tx, { id, pinHash }: Pick<User, 'id' | 'pinHash'>, newHash: string): Promise<boolean> {
  const row = await tx
    .updateTable('users')
    .set({ pin_hash: newHash })
    .where('id', '=', id)
    .where('pin_hash', '=', pinHash)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** {@link lockUser}, for who has come in by this PIN: false also when it was changed since. */
export function lockUserOfPin(tx: Tx, user: Pick<User, 'id' | 'pinHash'>): Promise<boolean> {
  return replacePinHash(tx, user, user.pinHash)
}

/** The row alone: rows of other tables with the id mean nothing from then on. */
export async function deleteUser(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

/** Whether anybody registered here and stayed. */
export async function hasUsers(db: Db | Tx): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** For tables that join this one. */
export function fromUserRow(row: Selectable<UsersTable>): User {
  return {
    id: row.id,
    key: row.key,
    username: row.username,
    pinHash: row.pin_hash,
    createdAtSeconds: row.created_at,
  }
}
