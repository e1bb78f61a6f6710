import type { Address } from '@chainboard/core'
import type { Db, Tx } from './store.ts'

/** An owner's wish that a key be deleted, which waits for a second owner. */
export type KeyDeletion = { readonly keyId: string; readonly wallet: Address; readonly askedAtSeconds: number }

/** A second owner has so long to agree. */
const waitSeconds = 86_400

/** Those that still wait, by the key's record id. */
export async function readKeyDeletions(db: Db | Tx, nowSeconds: number): Promise<ReadonlyMap<string, KeyDeletion>> {
  const rows = await db
    .selectFrom('key_deletions')
    .selectAll()
    .where('asked_at', '>', nowSeconds - waitSeconds)
    .execute()
  return new Map(rows.map(({ key_id, wallet, asked_at }) => [key_id, { keyId: key_id, wallet, askedAtSeconds: asked_at }]))
}

/** In place of an earlier one for the key. */
export async function putKeyDeletion(tx: Tx, { keyId, wallet, askedAtSeconds }: KeyDeletion): Promise<void> {
  await tx
    .insertInto('key_deletions')
    .values({ key_id: keyId, wallet, asked_at: askedAtSeconds })
    .onConflict((c) => c.column('key_id').doUpdateSet({ wallet, asked_at: askedAtSeconds }))
    .execute()
}

/** Says whether there was one. */
export async function deleteKeyDeletion(tx: Tx, keyId: string): Promise<boolean> {
  const row = await tx.deleteFrom('key_deletions').where('key_id', '=', keyId).returning('key_id').executeTakeFirst()
  return row !== undefined
}

/** Those that found no second owner: `readKeyDeletions` ignores them already. */
export async function deleteOldKeyDeletions(tx: Tx, nowSeconds: number): Promise<void> {
  await tx
    .deleteFrom('key_deletions')
    .where('asked_at', '<=', nowSeconds - waitSeconds)
    .execute()
}
