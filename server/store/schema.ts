// Columns as both databases hand them out. An `Exact` is a whole number of any size as decimal text: NUMERIC in PostgreSQL, TEXT in
// SQLite. Addresses and hashes are lower-case hexadecimal; times are unix seconds. In the big tables SQLite stores shorter forms of all
// three, which nobody sees but who writes SQL by hand: `sqlite/packedColumns.ts`.

import type { Address, Hex } from '@chainboard/core'
import type { AccountSchema } from './accountSchema.ts'
import type { BoostCursorTable, BoostPaymentsTable } from './boostSchema.ts'
import type { Exact } from './exact.ts'
import type { KeySchema } from './keySchema.ts'

export type SyncCursorTable = {
  id: number
  /** Chain, genesis, factory and start this index was built from; another one means: start over. */
  identity: string
  block_number: number | null
  block_hash: Hex | null
  block_timestamp: number | null
}

export type BlocksTable = { number: number; hash: Hex; timestamp: number }

/** Where a token stands after the latest event of its pools. Columns with `usd` are US dollars x 10^18 here and below. */
type TokenStateColumns = TokenEndColumns & TokenSumColumns & { tx_count: number }

/** What hours and days have of a token's state. */
type TokenEndColumns = {
  /** Smallest units in all pools, by what events moved. */
  reserve: Exact
  /** 0 when it had no price. */
  price_usd: Exact
}

/** What was traded of a token so far. Its days have that. */
type TokenSumColumns = { total_volume: Exact; total_volume_usd: Exact; total_fees_usd: Exact }

export type TokensTable = TokenStateColumns & {
  address: Address
  symbol: string
  name: string
  decimals: number | null
  /** Smallest units, as last asked. */
  total_supply: Exact
}

/** Tokens whose name and decimals were read a second time, and are as stored. */
export type ConfirmedTokensTable = { token: Address }

/** Where a pool stands: the part that its latest event left. */
type PoolStateColumns = PoolEndColumns & PoolBalanceColumns & PoolSumColumns

/** What hours and days have of a pool's state. */
type PoolEndColumns = { sqrt_price_x96: Exact; tick: number | null; liquidity: Exact; tvl_usd: Exact }

/** What a pool has, and what it did besides trading. Its hours have that. */
type PoolBalanceColumns = {
  reserve0: Exact
  reserve1: Exact
  collected0: Exact
  collected1: Exact
  collected_usd: Exact
  /** Events but Initialize. */
  tx_count: number
  /** Null when an event did not fit, and in pools indexed before fee growth was. */
  fee_growth0: Exact | null
  fee_growth1: Exact | null
}

/** What a pool traded so far. Its days have that. */
type PoolSumColumns = { total_volume0: Exact; total_volume1: Exact; total_volume_usd: Exact; total_fees_usd: Exact }

export type PoolsTable = PoolStateColumns & {
  address: Address
  token0: Address
  token1: Address
  fee: number
  tick_spacing: number
  created_block: number
  created_timestamp: number
  first_swap_at: number | null
  last_swap_at: number | null
  /** What trades within 2 % of the price, the smaller of both directions, at the end of the last block that changed it. */
  depth0: Exact
  depth1: Exact
  /** The same within 10 %. Null in pools that nothing happened to since this is known. */
  reach0: Exact | null
  reach1: Exact | null
}

/** What a pool was at the ends of blocks from a moment until another, of the last minutes. */
export type PoolSpansTable = {
  pool: Address
  from_at: number
  until_at: number
  sqrt_price_x96: Exact
  depth0: Exact
  depth1: Exact
}

type EventColumns = { block_number: number; log_index: number; pool: Address; tx_hash: Hex; timestamp: number }

export type SwapsTable = EventColumns & {
  sender: Address
  recipient: Address
  amount0: Exact
  amount1: Exact
  sqrt_price_x96: Exact
  liquidity: Exact
  tick: number
  amount_usd: Exact
}

export type PoolEventKind = 'initialize' | 'mint' | 'burn' | 'collect' | 'flash'

/** Everything but swaps. Columns an event does not have are null. */
export type PoolEventsTable = EventColumns & {
  kind: PoolEventKind
  owner: Address | null
  tick_lower: number | null
  tick_upper: number | null
  amount: Exact | null
  amount0: Exact | null
  amount1: Exact | null
  sqrt_price_x96: Exact | null
  tick: number | null
  amount_usd: Exact
  sender: Address | null
  recipient: Address | null
  paid0: Exact | null
  paid1: Exact | null
}

/** What happened in an hour or a day of a pool. Prices are sqrtPriceX96. */
type PoolShareColumns = {
  pool: Address
  start: number
  open: Exact
  high: Exact
  low: Exact
  volume0: Exact
  volume1: Exact
  volume_usd: Exact
  fees_usd: Exact
  swap_count: number
  event_count: number
}

/** One hour of a pool; exists only when something happened in it. */
export type PoolHourTable = PoolEndColumns & PoolBalanceColumns & PoolShareColumns

/**
 * One UTC day of a pool; exists only when something happened in it. What the pool had traded by the end of an hour is in no hour: it is the
 * sum of the day before, and of the hours since. What it had at the end of a day is in the day's last hour.
 */
export type PoolDayTable = PoolEndColumns & PoolSumColumns & PoolShareColumns

/** What happened in an hour or a day of a token. Prices are US dollars. */
type TokenShareColumns = {
  token: Address
  start: number
  open: Exact
  high: Exact
  low: Exact
  volume: Exact
  volume_usd: Exact
  fees_usd: Exact
  trust: number | null
}

/** One hour of a token; exists only when an event of one of its pools fell into it. Sums are as for hours of pools. */
export type TokenHourTable = TokenEndColumns & TokenShareColumns & { tx_count: number }

/** One UTC day of a token; exists only when an event of one of its pools fell into it. */
export type TokenDayTable = TokenEndColumns & TokenSumColumns & TokenShareColumns

/** One hour or one UTC day of all pools together. `native_usd`: price of the wrapped native coin, 0 when it had none. */
export type ExchangePeriodTable = {
  start: number
  tvl_usd: Exact
  native_usd: Exact
  volume_usd: Exact
  fees_usd: Exact
  tx_count: number
}

/** Liquidity that starts or ends at a tick of a pool; a tick that lost all of it stays with zeros. */
export type TicksTable = {
  pool: Address
  tick: number
  liquidity_gross: Exact
  liquidity_net: Exact
  created_block: number
  created_timestamp: number
}

/** Changes of the protocol's share of a pool's fees, as in `slot0`. */
export type FeeProtocolsTable = {
  block_number: number
  log_index: number
  timestamp: number
  pool: Address
  fee_protocol: number
}

/** The last block at which a pool's contract agreed with the index, and when that was found. */
export type PoolChecksTable = { pool: Address; block_number: number; checked_at: number }

/** What does not fit at a block of a pool, and since when that is known. */
export type DoubtsTable = { pool: Address; block_number: number; what: string; since: number }

/** Blocks, both ends included, whose stored dollars are not by this program's method. `method` 0: they are to be valued again. */
export type OldDollarsTable = { from_block: number; to_block: number; method: number }

/** From when on the index has all rows of a kind, `swaps` or `hours`; no row: from its beginning. */
export type KeptSinceTable = { kind: string; since: number }

/** Which pools the index holds (`all_pools` 0: those of `scope_tokens`), and the settings that its dollars are by. */
export type IndexScopeTable = { id: number; dollars: string; all_pools: number }

/** A token all of whose pools are in the index. `is_valued` 0: it was added later, and blocks are still to be valued again for it; 2: only older ones. */
export type ScopeTokensTable = { token: Address; is_valued: number }

/** Who signed a transaction, as the node says: not every transaction of the index is asked about. `has_liquidity`: 1 when it changed some. */
export type OriginsTable = { tx_hash: Hex; origin: Address; timestamp: number; has_liquidity: number }

/** Credits of a paid service that were set aside in a UTC month, `2026-11`, before the calls they were for. */
export type CreditsTable = { service: string; month: string; spent: number }

/** An index that was set aside: `number` names its tables, `migration` says which form they have. */
export type AsideIndexesTable = {
  number: number
  identity: string
  block_number: number | null
  set_aside_at: number
  migration: string
}

/** Which server leads: `epoch` counts its predecessors. `run` names the row of all price events, and never changes. */
export type LeadershipTable = { id: number; epoch: number; holder: string; since: number; run: string }

/** One publication of the board, and the price events in it, of which `last_place` is the last one's place in the row of all. */
export type BoardStepsTable = { seq: number; epoch: number; written_at: number; last_place: number; events: Buffer | null }

/** The newest board, and the newest state of the leader. `number` rises with each; `form` says how `body` is written. */
export type PublishedTable = {
  id: number
  epoch: number
  number: number
  /** By the database's clock, unix milliseconds. */
  written_at_ms: number
  form: number
  body: Buffer
}

/** Streams that a server has open, `[hash of whom they are for, count][]`. */
export type StreamCountsTable = { server: string; number: number; written_at_ms: number; counts: string }

export type Schema = AccountSchema &
  KeySchema & {
    sync_cursor: SyncCursorTable
    blocks: BlocksTable
    tokens: TokensTable
    confirmed_tokens: ConfirmedTokensTable
    pools: PoolsTable
    swaps: SwapsTable
    pool_events: PoolEventsTable
    pool_hours: PoolHourTable
    pool_days: PoolDayTable
    token_hours: TokenHourTable
    token_days: TokenDayTable
    exchange_hours: ExchangePeriodTable
    exchange_days: ExchangePeriodTable
    pool_spans: PoolSpansTable
    ticks: TicksTable
    fee_protocols: FeeProtocolsTable
    pool_checks: PoolChecksTable
    doubts: DoubtsTable
    old_dollars: OldDollarsTable
    kept_since: KeptSinceTable
    index_scope: IndexScopeTable
    scope_tokens: ScopeTokensTable
    origins: OriginsTable
    credits: CreditsTable
    boost_payments: BoostPaymentsTable
    boost_cursor: BoostCursorTable
    aside_indexes: AsideIndexesTable
    leadership: LeadershipTable
    board_steps: BoardStepsTable
    board: PublishedTable
    board_status: PublishedTable
    stream_counts: StreamCountsTable
  }
