import type { Hex } from '@chainboard/core'
import type { Insertable } from 'kysely'
import type { BookFacts } from '../graph/book.ts'
import type { Graph } from '../graph/createGraph.ts'
import { openGraph } from '../graph/openGraph.ts'
import type { SentTransaction } from '../graph/session.ts'
import { toValuation } from '../networkFile.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { alpha, alphaPool, factory, networkFile, sqrtPrices, trader, usdc, wrapped, wrappedPool } from './market.ts'

// Rows of a small index, worked out by hand: two pools, three tokens, one event of each kind.

/** Start of a UTC day: day 20,000 since 1970, hour 480,000. */
export const dayStart = 20_000 * 86_400
export const hash = (byte: string): Hex => `0x${byte.repeat(32)}`
export const headBlock = { number: 120, hash: hash('b1'), timestamp: dayStart + 7_200 }
const e18 = (value: number) => (BigInt(Math.round(value * 1e6)) * 10n ** 12n).toString()

type Rows = { [T in keyof Schema]?: readonly Insertable<Schema[T]>[] }

const poolEnd = { tick: 198_079, liquidity: '100000000000000000' }
const poolCounts = {
  collected0: '4501500',
  collected1: '0',
  collected_usd: e18(4.5015),
  tx_count: 6,
}
const poolSums = {
  total_volume0: '1500500000',
  total_volume1: '600000000000000000',
  total_volume_usd: e18(1500.5),
  total_fees_usd: e18(4.5015),
}
const poolState = { ...poolEnd, ...poolCounts, ...poolSums }

const wrappedPoolEnd = { ...poolEnd, sqrt_price_x96: sqrtPrices.wrappedAt2500.toString(), tvl_usd: e18(10_000_000) }
const wrappedPoolBalance = { ...poolCounts, reserve0: '5000000000000', reserve1: '2000000000000000000000' }
export const wrappedPoolState = { ...wrappedPoolEnd, ...wrappedPoolBalance, ...poolSums }
const alphaPoolState = {
  ...poolState,
  tick: 170_385,
  sqrt_price_x96: sqrtPrices.alphaAt6.toString(),
  reserve0: '1000000000000000',
  reserve1: '1000000000000000000000',
  total_volume0: '0',
  total_volume1: '0',
  total_volume_usd: '0',
  total_fees_usd: '0',
  collected0: '0',
  collected_usd: '0',
  tvl_usd: e18(65_000_000),
  tx_count: 1,
}

const tokenSums = { total_volume: '600000000000000000', total_volume_usd: e18(1500.5), total_fees_usd: e18(4.5015) }
const tokenState = { reserve: '0', total_volume: '0', total_volume_usd: '0', total_fees_usd: '0', tx_count: 0, price_usd: '0' }
const event = { pool: wrappedPool, timestamp: dayStart + 3_700, block_number: 110 }

export const rows: Rows = {
  sync_cursor: [
    { id: 1, identity: 'test', block_number: headBlock.number, block_hash: headBlock.hash, block_timestamp: headBlock.timestamp },
  ],
  blocks: [headBlock, { number: 119, hash: hash('b0'), timestamp: dayStart + 7_195 }],
  tokens: [
    {
      ...tokenState,
      address: usdc,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      total_supply: '1000000000000',
      price_usd: e18(1),
    },
    {
      address: wrapped,
      symbol: 'WNAT',
      name: 'Wrapped Native',
      decimals: 18,
      total_supply: '3000000000000000000000000',
      reserve: '3000000000000000000000',
      ...tokenSums,
      tx_count: 7,
      price_usd: e18(2500),
    },
    {
      ...tokenState,
      address: alpha,
      symbol: 'ALPHA',
      name: 'Alpha',
      decimals: 8,
      total_supply: '21000000',
      price_usd: e18(6.25),
    },
  ],
  pools: [
    {
      ...wrappedPoolState,
      address: wrappedPool,
      token0: usdc,
      token1: wrapped,
      fee: 3_000,
      tick_spacing: 60,
      created_block: 100,
      created_timestamp: dayStart + 60,
      first_swap_at: dayStart + 3_700,
      last_swap_at: dayStart + 3_700,
      depth0: '0',
      depth1: '0',
    },
    {
      ...alphaPoolState,
      address: alphaPool,
      token0: alpha,
      token1: wrapped,
      fee: 10_000,
      tick_spacing: 200,
      created_block: 101,
      created_timestamp: dayStart + 65,
      first_swap_at: null,
      last_swap_at: null,
      depth0: '0',
      depth1: '0',
    },
  ],
  swaps: [
    {
      ...event,
      log_index: 7,
      tx_hash: hash('c1'),
      sender: trader,
      recipient: trader,
      amount0: '1500500000',
      amount1: '-600000000000000000',
      sqrt_price_x96: sqrtPrices.wrappedAt2500.toString(),
      liquidity: '100000000000000000',
      tick: 198_079,
      amount_usd: e18(1500.5),
    },
  ],
  pool_events: [
    eventRow('mint', 3, {
      owner: trader,
      sender: trader,
      amount: '77',
      amount0: '2000000',
      amount1: '1000000000000000',
      amount_usd: e18(4.5),
    }),
    eventRow('burn', 4, { owner: trader, amount: '7', amount0: '1', amount1: '0', amount_usd: '1000000000000' }),
    eventRow('collect', 5, { owner: trader, recipient: trader, amount0: '4501500', amount1: '0', amount_usd: e18(4.5015) }),
    {
      ...eventRow('flash', 6, {
        sender: trader,
        recipient: factory,
        amount0: '0',
        amount1: '2000000000000000000',
        amount_usd: e18(5000),
      }),
      tick_lower: null,
      tick_upper: null,
      paid0: '0',
      paid1: '6000000000000000',
    },
  ],
  pool_hours: [{ ...poolPeriod(dayStart + 3_600), ...wrappedPoolBalance }],
  pool_days: [{ ...poolPeriod(dayStart), ...poolSums }],
  token_hours: [{ ...tokenPeriod(dayStart + 3_600), tx_count: 7 }],
  token_days: [{ ...tokenPeriod(dayStart), ...tokenSums }],
  exchange_hours: [exchangePeriod(dayStart + 3_600)],
  exchange_days: [exchangePeriod(dayStart)],
  ticks: [tickRow(-60, '77'), tickRow(60, '-77'), tickRow(198_060, '5')],
}

function eventRow(
  kind: 'mint' | 'burn' | 'collect' | 'flash',
  logIndex: number,
  values: Partial<Insertable<Schema['pool_events']>>,
) {
  return {
    ...event,
    kind,
    log_index: logIndex,
    tx_hash: hash('c1'),
    owner: null,
    sender: null,
    recipient: null,
    tick_lower: -60,
    tick_upper: 60,
    amount: null,
    amount0: null,
    amount1: null,
    sqrt_price_x96: null,
    tick: null,
    amount_usd: '0',
    paid0: null,
    paid1: null,
    ...values,
  }
}

/** The root was between 10,000 and 20,000 x 2^96: a token1 cost from 10,000 down to 2,500 token0. */
function poolPeriod(start: number) {
  return {
    ...wrappedPoolEnd,
    pool: wrappedPool,
    start,
    open: sqrtPrices.alphaAt25.toString(),
    high: sqrtPrices.wrappedAt2500.toString(),
    low: sqrtPrices.alphaAt25.toString(),
    volume0: '1500500000',
    volume1: '600000000000000000',
    volume_usd: e18(1500.5),
    fees_usd: e18(4.5015),
    swap_count: 1,
    event_count: 5,
  }
}

function tokenPeriod(start: number) {
  return {
    token: wrapped,
    start,
    reserve: '3000000000000000000000',
    price_usd: e18(2500),
    open: e18(2000),
    high: e18(2600),
    low: e18(1999.5),
    volume: '600000000000000000',
    volume_usd: e18(1500.5),
    fees_usd: e18(4.5015),
  }
}

function exchangePeriod(start: number) {
  return { start, tvl_usd: e18(75_000_000), native_usd: e18(2500), volume_usd: e18(1500), fees_usd: e18(4.5), tx_count: 7 }
}

function tickRow(tick: number, net: string) {
  return {
    pool: wrappedPool,
    tick,
    liquidity_gross: net.replace('-', ''),
    liquidity_net: net,
    created_block: 110,
    created_timestamp: dayStart + 3_700,
  }
}

/** Puts rows into the tables. */
export async function insertRows(store: Store, tables: Rows): Promise<void> {
  await store.write(async (tx) => {
    for (const [table, list] of Object.entries(tables)) {
      for (let from = 0; from < list.length; from += 100) {
        await tx
          .insertInto(table as 'swaps')
          .values(list.slice(from, from + 100) as never)
          .execute()
      }
    }
  })
}

export type TestGraph = Graph & {
  /** Asks and gives the data; fails on errors. */
  ask(query: string, variables?: Record<string, unknown>): Promise<Record<string, never>>
  /** Asks and gives the messages of the errors. */
  errorsOf(query: string, variables?: Record<string, unknown>): Promise<string[]>
  readonly bugs: unknown[]
}

/** GraphQL over an open store, in this thread. */
export function openTestGraph(
  store: Store,
  options: {
    facts?: BookFacts
    lookedThroughMax?: number
    answerLengthMax?: number
    readTransactions?: (hashes: readonly string[]) => Promise<readonly SentTransaction[]>
  } = {},
): TestGraph {
  const bugs: unknown[] = []
  const graph = openGraph({
    reader: store,
    facts: { factory, valuation: toValuation(networkFile) },
    readTransactions: async (hashes) => hashes.map(() => ({ origin: trader, gasPrice: '7' })),
    onBug: (error) => bugs.push(error),
    ...options,
  })
  const call = async (query: string, variables?: Record<string, unknown>) =>
    JSON.parse(await graph.answer(JSON.stringify({ query, variables })))
  return {
    ...graph,
    bugs,
    ask: async (query, variables) => {
      const answer = await call(query, variables)
      if (answer.errors) throw new Error(`${JSON.stringify(answer.errors)} ${bugs.map(String)}`)
      return answer.data
    },
    errorsOf: async (query, variables) =>
      ((await call(query, variables)).errors ?? []).map(({ message }: { message: string }) => message),
  }
}
