import type { Selectable } from 'kysely'
import type { PasskeysTable } from './accountSchema.ts'
import type { Db, Tx } from './store.ts'

/** A passkey that signs its user in. Times are unix seconds. */
export type Passkey = {
  readonly id: string
  readonly userId: string
  /** As its authenticator names it, in base64url. */
  readonly credentialId: string
  /** COSE, in base64url. */
  readonly publicKey: string
  /** What its authenticator counted to when it was last used; 0 for those that do not count. */
  readonly signCount: number
  /** How a browser reaches the authenticator. */
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAtSeconds: number
  /** Undefined for one that was never used. */
  readonly lastUsedAtSeconds: number | undefined
}

/** Says whether nobody had it, this user included. */
export async function insertPasskey(tx: Tx, passkey: Passkey): Promise<boolean> {
  const { id, userId, credentialId, publicKey, signCount, transports, name, createdAtSeconds, lastUsedAtSeconds } = passkey
  const row = await tx
    .insertInto('passkeys')
    .values({
      id,
      user_id: userId,
      credential_id: credentialId,
      public_key: publicKey,
      sign_count: signCount,
      transports: transports.join(','),
      name,
      created_at: createdAtSeconds,
      last_used_at: lastUsedAtSeconds ?? null,
    })
    .onConflict((c) => c.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** By what the authenticator calls it; undefined when it is nobody's. */
export async function findPasskey(db: Db | Tx, credentialId: string): Promise<Passkey | undefined> {
  const row = await db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
  return row && fromRow(row)
}

/** Of one user, in the order in which they were linked. */
export async function listPasskeys(db: Db | Tx, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

/**
 * Notes that it was used. Says whether it is still there and has counted on: a count that does not grow means that there are two of it.
 * Authenticators that do not count say 0 each time.
 */
export async function usePasskey(
  tx: Tx,
  id: string,
  { signCount, seconds }: { signCount: number; seconds: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('passkeys')
    .set({ sign_count: signCount, last_used_at: seconds })
    .where('id', '=', id)
    .where((e) => (signCount === 0 ? e('sign_count', '=', 0) : e('sign_count', '<', signCount)))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Says whether the user had it. */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The account is deleted. */
export async function deletePasskeysOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

function fromRow(row: Selectable<PasskeysTable>): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    signCount: row.sign_count,
    transports: row.transports === '' ? [] : row.transports.split(','),
    name: row.name,
    createdAtSeconds: row.created_at,
    lastUsedAtSeconds: row.last_used_at ?? undefined,
  }
}
