import { type Address, Failure, readField } from '@chainboard/core'
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

/** Records an act in the transaction of what it did, so that there is never one without the other. */
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
  const { from, to } = parseChanges(row.changes)
  return {
    id: row.id,
    atSeconds: row.at,
    wallet: row.wallet,
    act: row.act,
    keyId: row.key_id ?? undefined,
    from,
    to,
  }
}

/** @throws Failure `store-damaged` for a text that `insertAdminAct` did not write */
function parseChanges(text: string): Pick<AdminAct, 'from' | 'to'> {
  const changes: unknown = JSON.parse(text)
  const [from, to] = [readField(changes, 'from'), readField(changes, 'to')]
  if (isFacts(from) && isFacts(to)) return { from, to }
  throw new Failure('store-damaged', 'The record of the operators has an entry that cannot be read', {
    detail: { changes: text },
  })
}

function isFacts(value: unknown): value is Facts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((fact) => fact === null || typeof fact === 'string' || typeof fact === 'number')
}
