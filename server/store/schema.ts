// Columns as both databases hand them out. An `Exact` is a whole number of any size as decimal text: TEXT in SQLite,
// NUMERIC in PostgreSQL. Addresses and hashes are lower-case hexadecimal; times are unix seconds.

export type Exact = string

export type SyncCursorTable = {
  id: number
  /** Chain, genesis, factory and scope this index was built from; another one means: start over. */
  identity: string
  block_number: number | null
  block_hash: string | null
  block_timestamp: number | null
}

export type BlocksTable = { number: number; hash: string; timestamp: number }

export type TokensTable = { address: string; symbol: string; name: string; decimals: number | null }

/** Where a pool stands: the part that its latest event left. */
type PoolStateColumns = {
  sqrt_price_x96: Exact
  tick: number | null
  liquidity: Exact
  reserve0: Exact
  reserve1: Exact
}

export type PoolsTable = PoolStateColumns & {
  address: string
  token0: string
  token1: string
  fee: number
  tick_spacing: number
  created_block: number
  created_timestamp: number
  last_swap_at: number | null
}

type EventColumns = { block_number: number; log_index: number; pool: string; tx_hash: string; timestamp: number }

export type SwapsTable = EventColumns & {
  sender: string
  recipient: string
  amount0: Exact
  amount1: Exact
  sqrt_price_x96: Exact
  liquidity: Exact
  tick: number
}

export type PoolEventKind = 'initialize' | 'mint' | 'burn' | 'collect' | 'flash'

/** Everything but swaps. Columns an event does not have are null. */
export type PoolEventsTable = EventColumns & {
  kind: PoolEventKind
  owner: string | null
  tick_lower: number | null
  tick_upper: number | null
  amount: Exact | null
  amount0: Exact | null
  amount1: Exact | null
  sqrt_price_x96: Exact | null
  tick: number | null
}

/** One hour or one UTC day of a pool; exists only when something happened in it. Prices are sqrtPriceX96. */
export type PoolPeriodTable = PoolStateColumns & {
  pool: string
  start: number
  open: Exact
  high: Exact
  low: Exact
  volume0: Exact
  volume1: Exact
  swap_count: number
  event_count: number
}

export type Schema = {
  sync_cursor: SyncCursorTable
  blocks: BlocksTable
  tokens: TokensTable
  pools: PoolsTable
  swaps: SwapsTable
  pool_events: PoolEventsTable
  pool_hours: PoolPeriodTable
  pool_days: PoolPeriodTable
}
