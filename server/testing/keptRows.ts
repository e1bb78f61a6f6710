import type { Hex } from '@chainboard/core'
import type { Insertable } from 'kysely'
import { createKeyedHash } from '../accounts/keyedHash.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { listTables } from '../store/tableRows.ts'
import { runningTables } from '../store/tables.ts'

// Rows of everything that exists nowhere else, with values that are easily lost on the way: texts of other alphabets, quotes,
// lines, the greatest and the smallest numbers, nulls.

type Rows = { [T in keyof Schema]?: readonly Insertable<Schema[T]>[] }

const hex = (byte: string, bytes: number): Hex => `0x${byte.repeat(bytes)}`
const day = 20_000
const at = day * 86_400

/** The pepper that the rows of `pepper_mark` are of. */
export const pepperOfRows = 'a pepper of forty characters, for tests!'

export const keptRows: Rows = {
  users: [
    { id: 'u1', key: 'ann', username: 'Ann', pin_hash: 'scrypt$1$x', created_at: at },
    { id: 'u2', key: 'жанна', username: 'Жанна', pin_hash: 'it\'s "quoted"\n\\ and 🎈', created_at: at + 1 },
  ],
  user_wallets: [
    { user_id: 'u1', address: hex('a1', 20), position: 0 },
    { user_id: 'u1', address: hex('a2', 20), position: 1 },
    { user_id: 'u2', address: hex('a1', 20), position: 0 },
  ],
  favorites: [
    { user_id: 'u1', address: hex('70', 20), position: 3 },
    { user_id: 'u2', address: hex('70', 20), position: 0 },
  ],
  favorite_counts: [{ token: hex('70', 20), users: 2 }],
  name_skeletons: [{ skeleton: 'ann', users: 1 }],
  sessions: [
    {
      ...{ token_hash: 'aa'.repeat(32), user_id: 'u1', expires_at: at + 86_400, started_at: at },
      ...{ browser_name: 'Firefox on Linux', browser_hash: 'bb'.repeat(32) },
    },
  ],
  devices: [
    { user_id: 'u1', kind: 'browser', hash: 'bb'.repeat(32), seen_at: at, name: 'Firefox on Linux' },
    { user_id: 'u1', kind: 'network', hash: 'cc'.repeat(32), seen_at: at, name: '' },
  ],
  sign_in_codes: [{ code_hash: 'dd'.repeat(32), user_id: 'u2', expires_at: at + 900 }],
  recovery_codes: [{ code_hash: 'ff'.repeat(32), user_id: 'u1' }],
  account_notices: [
    { id: 'n1', user_id: 'u1', at, kind: 'signIn', browser_name: 'Safari on iPhone', session_hash: 'aa'.repeat(32) },
    { id: 'n2', user_id: 'u1', at: at + 1, kind: 'passkeyAdded', browser_name: '', session_hash: 'aa'.repeat(32) },
    { id: 'n3', user_id: 'u2', at, kind: 'walletLinked', browser_name: 'Édge on Linux', session_hash: 'aa'.repeat(32) },
  ],
  passkeys: [
    {
      id: 'p1',
      user_id: 'u1',
      credential_id: 'Zm9yIHRlc3Rz',
      public_key: 'pQECAyYgASFYIA',
      sign_count: Number.MAX_SAFE_INTEGER,
      transports: 'internal,hybrid',
      name: 'Ännchens "Handy"',
      created_at: at,
      last_used_at: at + 1,
    },
  ],
  sign_in_wallets: [{ address: hex('a3', 20), user_id: 'u2', name: '', created_at: at, last_used_at: null }],
  pin_failures: [{ subject: 'account:u1', empty_at: at + 60, blocked_until: 0 }],
  registration_days: [{ day: '2024-10-04', users: 2 }],
  account_totals: [
    { name: 'users', value: 2 },
    { name: 'wallets', value: 3 },
  ],
  pepper_mark: [{ id: 1, mark: createKeyedHash(pepperOfRows)('mark', '') }],
  api_keys: [
    {
      id: 'k1',
      hash: 'ee'.repeat(32),
      last4: 'wXyZ',
      tier: 'custom',
      status: 'paused',
      email: 'dev@example.org',
      note: '',
      requests_per_day: Number.MAX_SAFE_INTEGER,
      created_at: at,
      expires_at: at + 1,
      last_used_at: at,
      tx_hash: hex('f1', 32),
      payment: '{"amount":"115792089237316195423570985008687907853269984665640564039457584007913129639935"}',
      wallet: null,
      made_at_address: null,
      made_at_network: null,
      signed_at: null,
    },
    {
      id: 'k2',
      hash: 'ef'.repeat(32),
      last4: '0000',
      tier: 'free',
      status: 'active',
      email: '',
      note: 'line one\r\nline two\ttab',
      requests_per_day: 1_000,
      created_at: 0,
      expires_at: null,
      last_used_at: null,
      tx_hash: null,
      payment: null,
      wallet: hex('a1', 20),
      made_at_address: 'a2'.repeat(32),
      made_at_network: 'a3'.repeat(32),
      signed_at: at,
    },
  ],
  key_changes: [{ id: 1, changes: 7 }],
  quota_days: [
    { principal: 'key:k1', day, taken: 512 },
    { principal: 'shared:hash', day: day - 1, taken: 10_000 },
  ],
  quota_totals: [{ day, kind: 'key', taken: 512, principals: 1 }],
  spent_messages: [{ digest: '12'.repeat(32), expires_at: at + 600 }],
  admin_acts: [{ id: '01HZX', at, wallet: hex('ad', 20), act: 'create', key_id: 'k1', changes: '{"tier":[null,"custom"]}' }],
  credits: [{ service: 'cmc', month: '2026-11', spent: 11_958 }],
  boost_payments: [
    {
      block_number: 9,
      log_index: 0,
      token: hex('70', 20),
      payer: hex('a1', 20),
      payment_token: hex('05', 20),
      amount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
      decimals: 6,
      expires_at: at,
      tx_hash: hex('f2', 32),
      timestamp: at,
    },
  ],
  boost_cursor: [
    { id: 1, contract: hex('b0', 20), start_block: 1, chain: null, block_number: null, block_hash: null, decimals: '{}' },
  ],
}

/** All rows of all tables, in an order that is the same in both engines. */
export async function dumpRows({ read, engine }: Pick<Store, 'read' | 'engine'>): Promise<Record<string, unknown[]>> {
  const dump: Record<string, unknown[]> = {}
  for (const table of (await listTables(read, engine)).keys()) {
    // What SQLite shortens addresses by is in no row that is read. What servers tell each other is in no backup.
    if (table.startsWith('kysely_') || table === 'addresses' || runningTables.includes(table)) continue
    const rows = await read
      .selectFrom(table as 'users')
      .selectAll()
      .execute()
    const text = (row: object) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
    dump[table] = rows.map((row) => ({ ...row })).sort((a, b) => (text(a) < text(b) ? -1 : 1))
  }
  return dump
}
