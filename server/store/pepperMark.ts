import type { Db, Tx } from './store.ts'

const onlyRow = 1

/** By what the pepper is recognised that the PINs in this database were hashed with; undefined when none were. */
export async function findPepperMark(db: Db | Tx): Promise<string | undefined> {
  return (await db.selectFrom('pepper_mark').select('mark').where('id', '=', onlyRow).executeTakeFirst())?.mark
}

/** Replaces the mark where there is one. */
export async function savePepperMark(tx: Tx, mark: string): Promise<void> {
  await tx
    .insertInto('pepper_mark')
    .values({ id: onlyRow, mark })
    .onConflict((c) => c.column('id').doUpdateSet({ mark }))
    .execute()
}

/** Puts the mark in where there is none. Of servers that begin at once one is first. @returns the mark that is there now */
export async function claimPepperMark(tx: Tx, mark: string): Promise<string | undefined> {
  await tx
    .insertInto('pepper_mark')
    .values({ id: onlyRow, mark })
    .onConflict((c) => c.doNothing())
    .execute()
  return findPepperMark(tx)
}
