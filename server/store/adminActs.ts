import { createHash } from 'node:crypto'
import { type Address, Failure, fieldsOf, type OperatorAlert, type OperatorRole, operatorAlerts } from '@chainboard/core'
import type { Selectable } from 'kysely'
import type { AdminActName, AdminActsTable } from './keySchema.ts'
import type { Db, Tx } from './store.ts'

type Facts = Record<string, string | number | null>

/** What an operator did. */
export type NewAdminAct = {
  /** Grows with time. */
  readonly id: string
  readonly atSeconds: number
  readonly wallet: Address
  readonly role: OperatorRole
  /** What the call was authorized by. */
  readonly via: 'session' | 'message'
  readonly act: AdminActName
  /** Record id of the key that it is about. */
  readonly keyId: string | undefined
  readonly from: Facts
  readonly to: Facts
  /** What is unusual about it. */
  readonly alerts: readonly OperatorAlert[]
}

/** One that is kept. `role`, `via` and `chain` are undefined for acts from before the chain. */
export type AdminAct = Omit<NewAdminAct, 'role' | 'via'> & {
  readonly role: NewAdminAct['role'] | undefined
  readonly via: NewAdminAct['via'] | undefined
  /** Its place in the audit log, from 1, and the hash that stands for it and for all before it. */
  readonly chain: { readonly seq: number; readonly hash: string } | undefined
}

export type ActRow = Selectable<AdminActsTable>

/** What the first entry has in place of the hash before it. */
export const noHash = '0'.repeat(64)

/** What the hash of an entry is made of: all of its row, and through `previous` all entries before it. */
export function toChainText(row: Omit<ActRow, 'hash'>): string {
  const { seq, previous, id, at, wallet, role, via, act, key_id, changes, alerts } = row
  return JSON.stringify([seq, previous, id, at, wallet, role, via, act, key_id, changes, alerts])
}

/**
 * Records an act in the transaction of what it did, so that there is never one without the other, and holds the end of the chain until
 * the transaction ends: entries of several servers come one after the other.
 * @param hashOf cannot be worked out by who has the database alone
 */
export async function appendAdminAct(
  tx: Tx,
  { id, atSeconds, wallet, role, via, act, keyId, from, to, alerts }: NewAdminAct,
  hashOf: (text: string) => string,
): Promise<{ readonly seq: number; readonly hash: string }> {
  const { seq, hash: previous } = await tx
    .insertInto('admin_chain')
    .values({ id: 1, seq: 1, hash: noHash })
    .onConflict((c) => c.column('id').doUpdateSet((e) => ({ seq: e('admin_chain.seq', '+', 1) })))
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow()
  const row = {
    ...{ id, at: atSeconds, wallet, act, key_id: keyId ?? null, changes: JSON.stringify({ from, to }) },
    ...{ seq, role, via, alerts: alerts.join(','), previous },
  }
  const hash = hashOf(toChainText(row))
  await tx
    .insertInto('admin_acts')
    .values({ ...row, hash })
    .execute()
  await tx.updateTable('admin_chain').set({ hash }).where('id', '=', 1).execute()
  return { seq, hash }
}

/** The newest first, `limit` at most. @param before the id of an act: only older ones */
export async function listAdminActs(db: Db | Tx, limit: number, before?: string): Promise<AdminAct[]> {
  const query = db.selectFrom('admin_acts').selectAll().orderBy('id', 'desc').limit(limit)
  return (await (before === undefined ? query : query.where('id', '<', before)).execute()).map(fromActRow)
}

/** Where the log ends; undefined before its first entry, and before there was a log. */
export async function findChainEnd(db: Db | Tx): Promise<{ readonly seq: number; readonly hash: string } | undefined> {
  return db.selectFrom('admin_chain').select(['seq', 'hash']).where('id', '=', 1).executeTakeFirst()
}

const rowsAtOnce = 1_000

/** Entries of the log in order, as they are stored. */
export async function* readChain(db: Db | Tx): AsyncGenerator<ActRow> {
  let after = 0
  while (true) {
    const rows = await db.selectFrom('admin_acts').selectAll().where('seq', '>', after).orderBy('seq').limit(rowsAtOnce).execute()
    yield* rows
    const last = rows.at(-1)?.seq
    if (last === undefined || last === null || rows.length < rowsAtOnce) return
    after = last
  }
}

/** Acts from before the log, in no order. */
export async function listUnchainedActs(db: Db | Tx): Promise<ActRow[]> {
  return db.selectFrom('admin_acts').selectAll().where('seq', 'is', null).execute()
}

/** What stands for acts from before the log: migration 0029 made it in the same way. */
export function digestUnchained(rows: readonly ActRow[]): string | undefined {
  if (rows.length === 0) return undefined
  const lines = rows.map(({ id, at, wallet, act, key_id, changes }) => JSON.stringify([id, at, wallet, act, key_id, changes]))
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}

/** Acts since a moment with something unusual, the newest first. */
export async function listUnusualActs(db: Db | Tx, sinceSeconds: number, limit: number): Promise<AdminAct[]> {
  const rows = await db
    .selectFrom('admin_acts')
    .selectAll()
    .where('at', '>', sinceSeconds)
    .where('alerts', '!=', '')
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(fromActRow)
}

/** How often an operator did something since. */
export async function countAdminActs(
  db: Db | Tx,
  { wallet, act, sinceSeconds }: { readonly wallet: Address; readonly act: AdminActName; readonly sinceSeconds: number },
): Promise<number> {
  const { count } = await db
    .selectFrom('admin_acts')
    .select((e) => e.fn.countAll<number | string>().as('count'))
    .where('at', '>', sinceSeconds)
    .where('wallet', '=', wallet)
    .where('act', '=', act)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Forgets all but the newest `keep`. The database refuses when that are fewer than it was made to keep. */
export async function trimAdminActs(tx: Tx, keep: number): Promise<void> {
  const head = await tx
    .selectFrom('admin_acts')
    .select('seq')
    .where('seq', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const last = (head?.seq ?? 0) - keep
  // Acts from before the log go with its first entry, which covers them.
  if (last <= 0) return
  await tx
    .deleteFrom('admin_acts')
    .where((e) => e.or([e('seq', '<=', last), e('seq', 'is', null)]))
    .execute()
}

function fromActRow(row: ActRow): AdminAct {
  const { from, to } = parseChanges(row.changes)
  const { seq, hash } = row
  const alerts = row.alerts?.split(',') ?? []
  return {
    id: row.id,
    atSeconds: row.at,
    wallet: row.wallet,
    role: row.role ?? undefined,
    via: row.via ?? undefined,
    act: row.act,
    keyId: row.key_id ?? undefined,
    from,
    to,
    alerts: operatorAlerts.filter((alert) => alerts.includes(alert)),
    chain: seq === null || hash === null ? undefined : { seq, hash },
  }
}

/** @throws Failure `store-damaged` for a text that `appendAdminAct` did not write */
function parseChanges(text: string): Pick<AdminAct, 'from' | 'to'> {
  const { from, to } = fieldsOf(JSON.parse(text))
  if (isFacts(from) && isFacts(to)) return { from, to }
  throw new Failure('store-damaged', 'The record of the operators has an entry that cannot be read', {
    detail: { changes: text },
  })
}

function isFacts(value: unknown): value is Facts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((fact) => fact === null || typeof fact === 'string' || typeof fact === 'number')
}
