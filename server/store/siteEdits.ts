import type { Address } from '@chainboard/core'
import type { SiteEditsTable } from './keySchema.ts'
import type { Db, Tx } from './store.ts'

/** What an operator has the site show in place of its files. `body` is JSON. */
export type SiteEdit = {
  readonly kind: SiteEditsTable['kind']
  readonly body: string
  readonly wallet: Address
  readonly atSeconds: number
}

/** Undefined: as the files say. */
export async function findSiteEdit(db: Db | Tx, kind: SiteEdit['kind']): Promise<SiteEdit | undefined> {
  const row = await db.selectFrom('site_edits').selectAll().where('kind', '=', kind).executeTakeFirst()
  return row && { kind, body: row.body, wallet: row.wallet, atSeconds: row.at }
}

/** The same, and nobody else changes it before the transaction ends. */
export async function lockSiteEdit(tx: Tx, kind: SiteEdit['kind']): Promise<SiteEdit | undefined> {
  const own = tx.updateTable('site_edits').set((e) => ({ kind: e.ref('kind') }))
  const row = await own.where('kind', '=', kind).returningAll().executeTakeFirst()
  return row && { kind, body: row.body, wallet: row.wallet, atSeconds: row.at }
}

/** In place of the edit before. */
export async function putSiteEdit(tx: Tx, { kind, body, wallet, atSeconds }: SiteEdit): Promise<void> {
  await tx
    .insertInto('site_edits')
    .values({ kind, body, wallet, at: atSeconds })
    .onConflict((c) => c.column('kind').doUpdateSet({ body, wallet, at: atSeconds }))
    .execute()
}

/** The files count again. */
export async function deleteSiteEdit(tx: Tx, kind: SiteEdit['kind']): Promise<void> {
  await tx.deleteFrom('site_edits').where('kind', '=', kind).execute()
}
