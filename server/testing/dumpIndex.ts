import type { Store } from '../store/store.ts'

/** Everything in the index that follows from the chain alone, in a fixed order: two equal chains give two equal dumps. */
export async function dumpIndex({ read }: Store) {
  return {
    cursor: await read.selectFrom('sync_cursor').selectAll().execute(),
    tokens: await read.selectFrom('tokens').selectAll().orderBy('address').execute(),
    pools: await read.selectFrom('pools').selectAll().orderBy('address').execute(),
    swaps: await read.selectFrom('swaps').selectAll().orderBy('block_number').orderBy('log_index').execute(),
    events: await read.selectFrom('pool_events').selectAll().orderBy('block_number').orderBy('log_index').execute(),
    hours: await read.selectFrom('pool_hours').selectAll().orderBy('pool').orderBy('start').execute(),
    days: await read.selectFrom('pool_days').selectAll().orderBy('pool').orderBy('start').execute(),
  }
}
