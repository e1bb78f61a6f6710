import { hourSeconds } from '@chainboard/core'
import type { Db, Tx } from './store.ts'
import type { BlockRef } from './syncCursor.ts'
import { findLastBlockBefore, findNextEvent } from './transactions.ts'

/**
 * From when on the index has every swap, and every hour; unix seconds, undefined: from its beginning. Earlier ones are deleted, or about
 * to be. Of each pool the last swap before stays, and of each pool and token the last hour: so what anything was at a moment
 * since then is known all the same.
 */
export type KeptSince = { readonly swaps: number | undefined; readonly hours: number | undefined }

/** Both are undefined while nothing was ever deleted. */
export async function findKeptSince(db: Db | Tx): Promise<KeptSince> {
  const rows = await db.selectFrom('kept_since').selectAll().execute()
  const of = (wanted: keyof KeptSince) => rows.find(({ kind }) => kind === wanted)?.since
  return { swaps: of('swaps'), hours: of('hours') }
}

/** Notes that earlier rows go. It never goes back: what is deleted stays so. */
export async function setKeptSince(tx: Tx, kind: keyof KeptSince, since: number): Promise<void> {
  await tx
    .insertInto('kept_since')
    .values({ kind, since })
    .onConflict((c) => c.column('kind').doUpdateSet({ since }))
    .execute()
}

/** The first block from which on the index has every event; 0 where none was deleted. */
export async function findFirstKept(db: Db | Tx): Promise<number> {
  const { swaps } = await findKeptSince(db)
  // The last transaction before is that of an event that stays: it is the last one of its pool.
  return swaps === undefined ? 0 : ((await findLastBlockBefore(db, swaps)) ?? -1) + 1
}

/**
 * The first block after which the index can say what it was: the hour before it is folded again for that.
 * @returns 0 where no event was deleted
 */
export async function findFirstOpen(db: Db | Tx): Promise<number> {
  const { swaps } = await findKeptSince(db)
  return swaps === undefined ? 0 : ((await findLastBlockBefore(db, swaps + hourSeconds)) ?? 0)
}

/** The first block whose dollars can be worked out again; 0 where no event was deleted. */
export async function findFirstRevaluable(db: Db | Tx): Promise<number> {
  const open = await findFirstOpen(db)
  return open === 0 ? 0 : open + 1
}

/** The block, unless the index cannot say any more what it was after it. */
export async function keepOpen(db: Db | Tx, block: BlockRef | undefined): Promise<BlockRef | undefined> {
  return block && block.number >= (await findFirstOpen(db)) ? block : undefined
}

/** Time of the first event; undefined while there is none. */
export async function findFirstEventTime(db: Db | Tx): Promise<number | undefined> {
  return (await findNextEvent(db, -1))?.timestampSeconds
}
