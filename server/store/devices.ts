import type { Db, Tx } from './store.ts'

/** A browser or a network that a user signed in from. A browser is one user's alone. */
export type Device = { readonly userId: string; readonly kind: 'browser' | 'network'; readonly hash: string }

/** Remembers it as seen now, and forgets the user's least recently seen ones of the kind beyond `keep`. */
export async function keepDevice(tx: Tx, { userId, kind, hash }: Device, at: { seconds: number; keep: number }): Promise<void> {
  await tx
    .insertInto('devices')
    .values({ user_id: userId, kind, hash, seen_at: at.seconds })
    .onConflict((c) => c.columns(['user_id', 'kind', 'hash']).doUpdateSet((e) => ({ seen_at: e.ref('excluded.seen_at') })))
    .execute()
  const newest = tx
    .selectFrom('devices')
    .select('hash')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .orderBy('seen_at', 'desc')
    .orderBy('hash')
    .limit(at.keep)
  await tx.deleteFrom('devices').where('user_id', '=', userId).where('kind', '=', kind).where('hash', 'not in', newest).execute()
}

/** Whether the user signed in from it after a time. */
export async function isDeviceOf(db: Db | Tx, { userId, kind, hash }: Device, afterSeconds: number): Promise<boolean> {
  const row = await db
    .selectFrom('devices')
    .select('seen_at')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .where('seen_at', '>', afterSeconds)
    .executeTakeFirst()
  return row !== undefined
}

/** Whose each of these browsers is, by its hash, if somebody signed in from it after a time. */
export async function listBrowserOwners(
  db: Db | Tx,
  hashes: readonly string[],
  afterSeconds: number,
): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map()
  const rows = await db
    .selectFrom('devices')
    .select(['hash', 'user_id'])
    .where('kind', '=', 'browser')
    .where('hash', 'in', hashes)
    .where('seen_at', '>', afterSeconds)
    .execute()
  return new Map(rows.map((row) => [row.hash, row.user_id]))
}

/** The account is deleted, or wants to be signed in nowhere as a known device. */
export async function deleteDevicesOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('devices').where('user_id', '=', userId).execute()
}
