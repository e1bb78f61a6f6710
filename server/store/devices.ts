import type { Db, Tx } from './store.ts'

/** A browser or a network that a user signed in from. A browser is one user's alone. */
export type Device = { readonly userId: string; readonly kind: 'browser' | 'network'; readonly hash: string }
/** `name`: what a browser is called, `Firefox on Linux`. */
type NamedDevice = Device & { readonly name?: string }

/** Remembers it as seen now, and forgets the user's least recently seen ones of the kind beyond `keep`. */
export async function keepDevice(
  tx: Tx,
  { userId, kind, hash, name = '' }: NamedDevice,
  at: { seconds: number; keep: number },
): Promise<void> {
  await tx
    .insertInto('devices')
    .values({ user_id: userId, kind, hash, seen_at: at.seconds, name })
    .onConflict((c) =>
      c
        .columns(['user_id', 'kind', 'hash'])
        .doUpdateSet((e) => ({ seen_at: e.ref('excluded.seen_at'), name: e.ref('excluded.name') })),
    )
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

/** A browser that a user is known in. */
export type KnownBrowser = { readonly hash: string; readonly name: string; readonly seenAtSeconds: number }

/** Browsers that the user signed in from after a time, the last one first. */
export async function listBrowsers(db: Db | Tx, userId: string, afterSeconds: number): Promise<KnownBrowser[]> {
  const rows = await db
    .selectFrom('devices')
    .select(['hash', 'name', 'seen_at'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'browser')
    .where('seen_at', '>', afterSeconds)
    .orderBy('seen_at', 'desc')
    .orderBy('hash')
    .execute()
  return rows.map((row) => ({ hash: row.hash, name: row.name, seenAtSeconds: row.seen_at }))
}

/** It is as new to the user from now on. */
export async function deleteDevice(tx: Tx, { userId, kind, hash }: Device): Promise<void> {
  await tx.deleteFrom('devices').where('user_id', '=', userId).where('kind', '=', kind).where('hash', '=', hash).execute()
}

/** Only these stay known. */
export async function deleteOtherDevices(tx: Tx, userId: string, keptHashes: readonly string[]): Promise<void> {
  const others = tx.deleteFrom('devices').where('user_id', '=', userId)
  await (keptHashes.length > 0 ? others.where('hash', 'not in', keptHashes) : others).execute()
}

/** The account is deleted, or wants to be signed in nowhere as a known device. */
export async function deleteDevicesOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('devices').where('user_id', '=', userId).execute()
}
