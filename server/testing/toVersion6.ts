/**
 * What takes the tables back to those of migration 0006-boosts, on either engine. In SQLite the big tables stay packed: they can be read,
 * but to migrate them again they have to be empty, and `addresses` has to go, too.
 */
export const toVersion6: readonly string[] = [
  'create table transactions (hash text primary key, block_number bigint, log_index integer, timestamp bigint)',
  ...['pool_events_by_time', 'pool_events_by_hash'].map((index) => `drop index ${index}`),
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
  ].map((table) => `drop table ${table}`),
  ...['pools', 'pool_hours', 'pool_days'].flatMap((table) =>
    ['fee_growth0', 'fee_growth1'].map((column) => `alter table ${table} drop column ${column}`),
  ),
  ...['depth0', 'depth1', 'first_swap_at', 'reach0', 'reach1'].map((column) => `alter table pools drop column ${column}`),
  'drop index devices_own_browsers',
  "delete from kysely_migration where name > '0006-boosts'",
]
