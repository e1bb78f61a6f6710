import type { Address } from '@chainboard/core'
import type { Selectable } from 'kysely'
import type { AdminActsTable } from './keySchema.ts'
import type { Db, Tx } from './store.ts'

type Facts = Record<string, string | number | null>

/** What an operator did. */
export type AdminAct = {
  /** Grows with time. */
  readonly id: string
  readonly atSeconds: number
  readonly wallet: Address
  readonly act: AdminActsTable['act']
  /** Record id of the key that it is about. */
  readonly keyId: string | undefined
  readonly from: Facts
  readonly to: Facts
}

export async function insertAdminAct(tx: Tx, { id, atSeconds, wallet, act, keyId, from, to }: AdminAct): Promise<void> {
  await tx
    .insertInto('admin_acts')
    .values({ id, at: atSeconds, wallet, act, key_id: keyId ?? null, changes: JSON.stringify({ from, to }) })
    .execute()
}

/** The newest first, `limit` at most. @param before the id of an act: only older ones */
export async function listAdminActs(db: Db | Tx, limit: number, before?: string): Promise<AdminAct[]> {
  const query = db.selectFrom('admin_acts').selectAll().orderBy('id', 'desc').limit(limit)
  return (await (before === undefined ? query : query.where('id', '<', before)).execute()).map(fromActRow)
}

/** Forgets all but the newest `keep`. */
export async function trimAdminActs(tx: Tx, keep: number): Promise<void> {
  const first = await tx.selectFrom('admin_acts').select('id').orderBy('id', 'desc').offset(keep).limit(1).executeTakeFirst()
  if (first) await tx.deleteFrom('admin_acts').where('id', '<=', first.id).execute()
}

function fromActRow(row: Selectable<AdminActsTable>): AdminAct {
  const { from, to } = JSON.parse(row.changes) as { from: Facts; to: Facts }
  return {
    id: row.id,
    atSeconds: row.at,
    wallet: row.wallet as Address,
    act: row.act,
    keyId: row.key_id ?? undefined,
    from,
    to,
  }
}
