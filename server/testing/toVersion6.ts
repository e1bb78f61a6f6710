import { droppedColumns, runningTables } from '../store/tables.ts'

/**
 * What takes the tables back to those of migration 0006-boosts, on either engine. In SQLite the big tables stay packed: they can be read,
 * but to migrate them again they have to be empty, and `addresses` has to go, too.
 */
export const toVersion6: readonly string[] = [
  'create table transactions (hash text primary key, block_number bigint, log_index integer, timestamp bigint)',
  ...['pool_events_by_time', 'pool_events_by_hash'].map((index) => `drop index ${index}`),
  ...Object.entries(droppedColumns).flatMap(([table, columns]) =>
    columns
      .filter((column) => !column.startsWith('fee_growth'))
      .map((column) => `alter table ${table} add column ${column} numeric(78, 0) not null default 0`),
  ),
  'alter table token_hours drop column trust',
  'alter table token_days drop column trust',
  ...[
    'aside_indexes',
    'fee_protocols',
    'pool_checks',
    'doubts',
    'pool_spans',
    'origins',
    'old_dollars',
    'index_scope',
    'scope_tokens',
    'confirmed_tokens',
    'kept_since',
    ...runningTables,
    'passkeys',
    'sign_in_wallets',
    'admin_chain',
    'admin_sessions',
    'admin_places',
    'key_deletions',
    'name_skeletons',
    'recovery_codes',
    'account_notices',
    'site_edits',
  ].map((table) => `drop table ${table}`),
  ...['pools', 'pool_hours'].flatMap((table) =>
    ['fee_growth0', 'fee_growth1'].map((column) => `alter table ${table} drop column ${column}`),
  ),
  ...['depth0', 'depth1', 'first_swap_at', 'reach0', 'reach1'].map((column) => `alter table pools drop column ${column}`),
  ...['started_at', 'browser_name', 'browser_hash'].map((column) => `alter table sessions drop column ${column}`),
  'alter table devices drop column name',
  ...['swaps_by_recipient', 'pools_by_token0', 'pools_by_token1', 'devices_own_browsers'].map((name) => `drop index ${name}`),
  'create table acts_of_then as select id, at, wallet, act, key_id, changes from admin_acts',
  'drop table admin_acts',
  'alter table acts_of_then rename to admin_acts',
  ...['made_at_address', 'made_at_network'].map((column) => `drop index api_keys_${column}`),
  ...['made_at_address', 'made_at_network', 'signed_at'].map((column) => `alter table api_keys drop column ${column}`),
  "delete from kysely_migration where name > '0006-boosts'",
]

const exactDefault = 'numeric(78, 0) not null default 0'
const keyed = (table: string, subject: string, columns: readonly string[]) => [
  `drop table ${table}`,
  `create table ${table} (${[`${subject} text not null`, 'start bigint not null', ...columns].join(', ')},
    constraint ${table}_pk primary key (${subject}, start))`,
]
const ofPools = [
  ...[
    'sqrt_price_x96',
    'liquidity',
    'reserve0',
    'reserve1',
    'open',
    'high',
    'low',
    'volume0',
    'volume1',
    'volume_usd',
    'fees_usd',
  ],
  ...[
    'total_volume0',
    'total_volume1',
    'total_volume_usd',
    'total_fees_usd',
    'collected0',
    'collected1',
    'collected_usd',
    'tvl_usd',
  ],
].map((name) => `${name} ${exactDefault}`)
const ofTokens = [
  ...[
    'reserve',
    'total_volume',
    'total_volume_usd',
    'total_fees_usd',
    'price_usd',
    'open',
    'high',
    'low',
    'volume',
    'volume_usd',
    'fees_usd',
  ],
].map((name) => `${name} ${exactDefault}`)
const counts = [
  'tick integer',
  'swap_count integer not null',
  'event_count integer not null',
  'tx_count bigint not null default 0',
]

/** After `toVersion6`: what lies in the order of time in SQLite, empty and with row ids as then. */
export const emptyPeriods: readonly string[] = [
  ...keyed('pool_days', 'pool', [...ofPools, ...counts]),
  ...['token_hours', 'token_days'].flatMap((table) => keyed(table, 'token', [...ofTokens, 'tx_count bigint not null'])),
]
