import type { Hex } from '@chainboard/core'
import type { Db, Tx } from './store.ts'

/** A block by number and hash. `timestampSeconds` is unix time. */
export type BlockRef = { readonly number: number; readonly hash: Hex; readonly timestampSeconds: number }

/** What the index was built from, and the last block in it; `block` is undefined before the first one. */
export type SyncCursor = { readonly identity: string; readonly block: BlockRef | undefined }

const theOnlyRow = 1

/** `undefined` for a store that has never been synced. */
export async function findCursor(db: Db | Tx): Promise<SyncCursor | undefined> {
  const row = await db.selectFrom('sync_cursor').selectAll().where('id', '=', theOnlyRow).executeTakeFirst()
  if (!row) return undefined
  const { identity, block_number, block_hash, block_timestamp } = row
  if (block_number === null || block_hash === null || block_timestamp === null) return { identity, block: undefined }
  return { identity, block: { number: block_number, hash: block_hash, timestampSeconds: block_timestamp } }
}

/** Replaces the cursor, wherever it was: for the writer that holds it. Others use `advanceCursor`. */
export async function setCursor(tx: Tx, { identity, block }: SyncCursor): Promise<void> {
  const row = {
    identity,
    block_number: block?.number ?? null,
    block_hash: block?.hash ?? null,
    block_timestamp: block?.timestampSeconds ?? null,
  }
  await tx
    .insertInto('sync_cursor')
    .values({ id: theOnlyRow, ...row })
    .onConflict((c) => c.column('id').doUpdateSet(row))
    .execute()
}

/**
 * Moves the cursor on from the block where its writer believes it to be. It locks the row until the transaction ends, so that
 * of two writers one waits and then learns that the cursor has moved.
 * @returns false when the cursor is elsewhere or of another index
 */
export async function advanceCursor(
  tx: Tx,
  { identity, from, to }: { readonly identity: string; readonly from: BlockRef | undefined; readonly to: BlockRef },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sync_cursor')
    .set({ block_number: to.number, block_hash: to.hash, block_timestamp: to.timestampSeconds })
    .where('id', '=', theOnlyRow)
    .where('identity', '=', identity)
    .where('block_hash', from ? '=' : 'is', from ? from.hash : null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Makes other writers of the cursor wait until the transaction ends, also while there is none yet: its identity is empty then. */
export async function lockCursor(tx: Tx): Promise<void> {
  await tx
    .insertInto('sync_cursor')
    .values({ id: theOnlyRow, identity: '', block_number: null, block_hash: null, block_timestamp: null })
    .onConflict((c) => c.column('id').doUpdateSet((e) => ({ identity: e.ref('sync_cursor.identity') })))
    .execute()
}
