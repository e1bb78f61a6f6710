import { columnTypes } from '../../server/store/sqlite/packedColumns.ts'
import { type FabricatedChain, type FabricatedOptions, patternLength } from '../../server/testing/fabricated/fabricatedChain.ts'
import { roundSwaps } from '../../server/testing/fabricated/fabricatedPool.ts'
import { addressOf } from '../../server/testing/simulation/modelLogs.ts'
import type { BulkStore } from './bulkStore.ts'
import type { TradedPool } from './periodRows.ts'

const swapsAtOnce = 1_000_000

type Traded = {
  readonly chain: FabricatedChain
  readonly options: FabricatedOptions
  /** The last block. */
  readonly end: number
  readonly pools: readonly TradedPool[]
}

/** Adds all swaps until a block: made by the database itself out of the order and the rounds, which repeat. */
export async function addSwaps(bulk: BulkStore, { chain, options, end, pools }: Traded): Promise<void> {
  const isPacked = bulk.engine === 'sqlite'
  const [exact, address] = isPacked ? [columnTypes.number, columnTypes.address] : ['numeric(78, 0)', 'text']
  await bulk.run('create table bench_order (at integer primary key, pool integer, nth integer, each_round integer)')
  await bulk.run(
    `create table bench_steps (pool integer, nth integer, address ${address}, amount0 ${exact}, amount1 ${exact}, price ${exact},
     liquidity ${exact}, tick integer, usd ${exact}, primary key (pool, nth))`,
  )
  await bulk.add('bench_order', listOrder(chain))
  await bulk.add('bench_steps', listSteps(pools))
  const { openedUntil } = chain
  const [start, length] = [firstSeconds(chain), options.blocks - openedUntil]
  const known = addressOf('the trader')
  if (isPacked) await bulk.run(`insert or ignore into addresses (address) values ('${known}')`)
  const trader = isPacked ? `(select id from addresses where address = '${known}')` : `'${known}'`
  const total = chain.swapsUntil(end)
  for (let from = 0; from < total; from += swapsAtOnce) {
    const to = Math.min(total, from + swapsAtOnce)
    const block = `(${openedUntil} + ((k + 1) * ${length} + ${options.swaps - 1}) / ${options.swaps})`
    await bulk.run(`
      insert into swaps (block_number, log_index, pool, tx_hash, timestamp, sender, recipient, amount0, amount1, sqrt_price_x96,
        liquidity, tick, amount_usd)
      with numbers as (${numbers(bulk.engine, from, to)}),
      placed as (select k, ${block} as block from numbers)
      select block, k - ((block - 1 - ${openedUntil}) * ${options.swaps}) / ${length}, s.address, ${hash(bulk.engine)},
        ${start} + block * ${options.periodSeconds}, ${trader}, ${trader}, s.amount0, s.amount1, s.price, s.liquidity, s.tick, s.usd
      from placed cross join bench_order o cross join bench_steps s
      where o.at = k % ${patternLength} and s.pool = o.pool
        and s.nth = (o.nth + (k / ${patternLength}) * o.each_round) % ${roundSwaps}`)
  }
  await bulk.run('drop table bench_order')
  await bulk.run('drop table bench_steps')
}

function firstSeconds(chain: FabricatedChain): number {
  return chain.under(chain.head(), 0)?.timestampSeconds ?? 0
}

function* listOrder(chain: FabricatedChain) {
  const each = new Map<number, number>()
  for (let at = 0; at < patternLength; at += 1) each.set(chain.tradeOf(at).pool, (each.get(chain.tradeOf(at).pool) ?? 0) + 1)
  for (let at = 0; at < patternLength; at += 1) {
    const { pool, nth } = chain.tradeOf(at)
    yield { at, pool, nth, each_round: each.get(pool) ?? 0 }
  }
}

function* listSteps(pools: readonly TradedPool[]) {
  for (const [pool, { own, address, stepUsdE18 }] of pools.entries())
    for (const [nth, step] of own.round.entries())
      yield {
        ...{ pool, nth, address, amount0: step.amount0.toString(), amount1: step.amount1.toString() },
        ...{ price: step.pool.sqrtPriceX96.toString(), liquidity: step.pool.liquidity.toString(), tick: step.pool.tick },
        usd: String(stepUsdE18[nth]),
      }
}

function numbers(engine: BulkStore['engine'], from: number, to: number): string {
  if (engine === 'postgres') return `select cast(k as bigint) as k from generate_series(${from}::bigint, ${to - 1}::bigint) as k`
  return `with recursive n(k) as (select ${from} union all select k + 1 from n where k + 1 < ${to}) select k from n`
}

/** Any 32 bytes: real ones are as random. */
function hash(engine: BulkStore['engine']): string {
  return engine === 'postgres' ? "'0x' || md5(k::text) || md5(k::text || 'x')" : 'randomblob(32)'
}
