import type { Address } from '@chainboard/core'
import { type Selectable, sql } from 'kysely'
import type { ApiKeysTable } from './keySchema.ts'
import type { Db, Tx } from './store.ts'

export type KeyTier = ApiKeysTable['tier']

/** An API key as it is kept: never its text. */
export type ApiKey = {
  /** Of the record, safe to show and to log. */
  readonly id: string
  /** SHA-256 of the key. */
  readonly hash: string
  readonly last4: string
  readonly tier: KeyTier
  readonly status: ApiKeysTable['status']
  /** Empty for a free key. */
  readonly email: string
  readonly note: string
  readonly requestsPerDay: number
  readonly createdAtSeconds: number
  /** Undefined: never. */
  readonly expiresAtSeconds: number | undefined
  /** Undefined: not yet. Up to a minute old. */
  readonly lastUsedAtSeconds: number | undefined
  readonly txHash: string | undefined
  /** JSON of what the chain said of the transaction. */
  readonly payment: string | undefined
  /** Whose free key it is. */
  readonly wallet: Address | undefined
  /** Where a free key was made, or woken last, as hashes; absent for others. */
  readonly madeAt?: KeyPlace | undefined
  /** When the wallet of a free key signed for it last; absent for others. */
  readonly signedAtSeconds?: number | undefined
}

/** An address and its network, as keyed hashes. */
export type KeyPlace = { readonly address: string; readonly network: string }

/** What may be changed of a key. */
export type KeyChange = Partial<
  Pick<ApiKey, 'hash' | 'last4' | 'status' | 'note' | 'requestsPerDay' | 'expiresAtSeconds' | 'madeAt' | 'signedAtSeconds'>
>

/** Says whether it is there now: not when its wallet has one already. */
export async function insertApiKey(tx: Tx, key: ApiKey): Promise<boolean> {
  const row = await tx
    .insertInto('api_keys')
    .values(toKeyRow(key))
    .onConflict((c) => c.column('wallet').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row) await countChange(tx)
  return row !== undefined
}

/** By its record id or by its hash. */
export async function findApiKey(db: Db | Tx, by: { id: string } | { hash: string }): Promise<ApiKey | undefined> {
  const query = db.selectFrom('api_keys').selectAll()
  const row = await ('id' in by ? query.where('id', '=', by.id) : query.where('hash', '=', by.hash)).executeTakeFirst()
  return row && fromKeyRow(row)
}

/** Holds the key until the transaction ends, so that changes come one after the other. */
export async function lockApiKey(
  tx: Tx,
  by: { id: string } | { hash: string } | { wallet: Address },
): Promise<ApiKey | undefined> {
  const all = tx.updateTable('api_keys').set((e) => ({ id: e.ref('id') }))
  const own =
    'id' in by
      ? all.where('id', '=', by.id)
      : 'hash' in by
        ? all.where('hash', '=', by.hash)
        : all.where('wallet', '=', by.wallet)
  const row = await own.returningAll().executeTakeFirst()
  return row && fromKeyRow(row)
}

/** Sets what the change names and leaves the rest. `expiresAtSeconds: undefined` means never. Nothing happens without such a key. */
export async function changeApiKey(tx: Tx, id: string, change: KeyChange): Promise<void> {
  const { hash, last4, status, note, requestsPerDay, madeAt, signedAtSeconds } = change
  await tx
    .updateTable('api_keys')
    .set({
      ...(hash === undefined ? {} : { hash }),
      ...(last4 === undefined ? {} : { last4 }),
      ...(status === undefined ? {} : { status }),
      ...(note === undefined ? {} : { note }),
      ...(requestsPerDay === undefined ? {} : { requests_per_day: requestsPerDay }),
      ...(madeAt === undefined ? {} : { made_at_address: madeAt.address, made_at_network: madeAt.network }),
      ...(signedAtSeconds === undefined ? {} : { signed_at: signedAtSeconds }),
      ...('expiresAtSeconds' in change ? { expires_at: change.expiresAtSeconds ?? null } : {}),
    })
    .where('id', '=', id)
    .execute()
  await countChange(tx)
}

/** Nothing happens without such a key. What its days have taken stays in their totals. */
export async function deleteApiKey(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('api_keys').where('id', '=', id).execute()
  await countChange(tx)
}

/** The newest first, `limit` at most. */
export async function listApiKeys(db: Db | Tx, limit: number): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(fromKeyRow)
}

/**
 * Free keys that were made at an address or within a network, and used or signed for since a moment. To be called after a key was
 * inserted or changed in the same transaction: until it ends, no other one makes or changes any.
 */
export async function countAwakeKeys(
  tx: Tx,
  at: { address: string } | { network: string },
  sinceSeconds: number,
): Promise<number> {
  const query = tx.selectFrom('api_keys').select((e) => e.fn.countAll().as('count'))
  const there =
    'address' in at ? query.where('made_at_address', '=', at.address) : query.where('made_at_network', '=', at.network)
  const row = await there
    .where((e) => e.or([e('signed_at', '>', sinceSeconds), e('last_used_at', '>', sinceSeconds)]))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** All keys; those that may be used now; of them, those of tier basic. */
export type KeyCounts = { readonly total: number; readonly active: number; readonly activeBasic: number }

/** Expired and paused keys count in the total alone. */
export async function countApiKeys(db: Db | Tx, nowSeconds: number): Promise<KeyCounts> {
  const active = sql<boolean>`status = 'active' and (expires_at is null or expires_at > ${nowSeconds})`
  const row = await db
    .selectFrom('api_keys')
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(case when ${active} then 1 end)`.as('active'),
      sql<number>`count(case when ${active} and tier = 'basic' then 1 end)`.as('activeBasic'),
    ])
    .executeTakeFirstOrThrow()
  return { total: Number(row.total), active: Number(row.active), activeBasic: Number(row.activeBasic) }
}

/** Is no change that other servers would have to know of. */
export async function saveLastUsed(tx: Tx, uses: ReadonlyMap<string, number>): Promise<void> {
  // In order, so that two servers never wait for each other.
  for (const [id, last_used_at] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1)))
    await tx
      .updateTable('api_keys')
      .set({ last_used_at })
      .where('id', '=', id)
      .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', last_used_at)]))
      .execute()
}

const onlyRow = 1

/** A number that is another one after any change of any key. */
export async function readKeyChanges(db: Db | Tx): Promise<number> {
  return (await db.selectFrom('key_changes').select('changes').where('id', '=', onlyRow).executeTakeFirst())?.changes ?? 0
}

async function countChange(tx: Tx): Promise<void> {
  await tx
    .insertInto('key_changes')
    .values({ id: onlyRow, changes: 1 })
    .onConflict((c) => c.column('id').doUpdateSet((e) => ({ changes: e('key_changes.changes', '+', 1) })))
    .execute()
}

function toKeyRow(key: ApiKey): Selectable<ApiKeysTable> {
  return {
    id: key.id,
    hash: key.hash,
    last4: key.last4,
    tier: key.tier,
    status: key.status,
    email: key.email,
    note: key.note,
    requests_per_day: key.requestsPerDay,
    created_at: key.createdAtSeconds,
    expires_at: key.expiresAtSeconds ?? null,
    last_used_at: key.lastUsedAtSeconds ?? null,
    tx_hash: key.txHash ?? null,
    payment: key.payment ?? null,
    wallet: key.wallet ?? null,
    made_at_address: key.madeAt?.address ?? null,
    made_at_network: key.madeAt?.network ?? null,
    signed_at: key.signedAtSeconds ?? null,
  }
}

function fromKeyRow(row: Selectable<ApiKeysTable>): ApiKey {
  return {
    id: row.id,
    hash: row.hash,
    last4: row.last4,
    tier: row.tier,
    status: row.status,
    email: row.email,
    note: row.note,
    requestsPerDay: row.requests_per_day,
    createdAtSeconds: row.created_at,
    expiresAtSeconds: row.expires_at ?? undefined,
    lastUsedAtSeconds: row.last_used_at ?? undefined,
    txHash: row.tx_hash ?? undefined,
    payment: row.payment ?? undefined,
    wallet: row.wallet ?? undefined,
    ...(row.made_at_address !== null && row.made_at_network !== null
      ? { madeAt: { address: row.made_at_address, network: row.made_at_network } }
      : {}),
    ...(row.signed_at === null ? {} : { signedAtSeconds: row.signed_at }),
  }
}
