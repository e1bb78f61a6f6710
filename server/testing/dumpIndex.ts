import type { Store } from '../store/store.ts'

/** Everything in the index that follows from the chain alone, in a fixed order: two equal chains give two equal dumps. */
export async function dumpIndex({ read }: Pick<Store, 'read'>) {
  return {
    cursor: await read.selectFrom('sync_cursor').selectAll().execute(),
    tokens: await read.selectFrom('tokens').selectAll().orderBy('address').execute(),
    pools: await read.selectFrom('pools').selectAll().orderBy('address').execute(),
    swaps: await read.selectFrom('swaps').selectAll().orderBy('block_number').orderBy('log_index').execute(),
    events: await read.selectFrom('pool_events').selectAll().orderBy('block_number').orderBy('log_index').execute(),
    hours: await read.selectFrom('pool_hours').selectAll().orderBy('pool').orderBy('start').execute(),
    days: await read.selectFrom('pool_days').selectAll().orderBy('pool').orderBy('start').execute(),
    tokenHours: await read.selectFrom('token_hours').selectAll().orderBy('token').orderBy('start').execute(),
    tokenDays: await read.selectFrom('token_days').selectAll().orderBy('token').orderBy('start').execute(),
    exchangeHours: await read.selectFrom('exchange_hours').selectAll().orderBy('start').execute(),
    exchangeDays: await read.selectFrom('exchange_days').selectAll().orderBy('start').execute(),
    spans: await read.selectFrom('pool_spans').selectAll().orderBy('pool').orderBy('until_at').execute(),
    ticks: await read.selectFrom('ticks').selectAll().orderBy('pool').orderBy('tick').execute(),
    feeProtocols: await read.selectFrom('fee_protocols').selectAll().orderBy('block_number').orderBy('log_index').execute(),
    keptSince: await read.selectFrom('kept_since').selectAll().orderBy('kind').execute(),
    scope: await read.selectFrom('index_scope').selectAll().execute(),
    scopeTokens: await read.selectFrom('scope_tokens').selectAll().orderBy('token').execute(),
    oldDollars: await read.selectFrom('old_dollars').selectAll().orderBy('from_block').execute(),
  }
}
