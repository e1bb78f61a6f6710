import type { Book } from '../book.ts'
import { showDecimal, showRatio } from '../decimal.ts'
import type { DerivedField, Entity, EntityName, ScalarField } from '../entity.ts'
import {
  bytes,
  constant,
  exact,
  integer,
  poolAmount,
  poolPrice,
  reference,
  scalar,
  tokenDecimals,
  usd,
  usdDecimals,
  whole,
} from '../fields.ts'
import type { Row } from '../row.ts'

// The entities that are few: factory, bundle, tokens, pools.

const zeroAddress = `0x${'00'.repeat(20)}`

/** US dollars of a column in the wrapped native coin, at its price now; 0 without that price. */
function native(name: string, column: string): ScalarField {
  return scalar(name, 'BigDecimal', (row, book) => showRatio(whole(row, column), book.nativeUsdE18))
}

/**
 * @param column of the other entity's table, which holds the id of this one
 * @param nullableItems as the subgraph's schema has it for this list
 */
export function derived(name: string, entity: EntityName, column: string, nullableItems = false): DerivedField {
  return { kind: 'derived', name, entity, column, nullableItems }
}

function tokenAmount(name: string, column: string): ScalarField {
  return scalar(name, 'BigDecimal', (row, book) => showDecimal(whole(row, column), tokenDecimals(row['address'], book)))
}

function tokenValue(name: string): ScalarField {
  return scalar(name, 'BigDecimal', (row, book) =>
    showDecimal(whole(row, 'reserve') * whole(row, 'price_usd'), tokenDecimals(row['address'], book) + usdDecimals),
  )
}

/** The exchange: one row, of the newest block that is asked for. */
export const factory: Entity = {
  name: 'Factory',
  singular: 'factory',
  plural: 'factories',
  source: { kind: 'book', rows: (book) => book.factory },
  fields: [
    scalar('id', 'ID', (row) => row['id'] ?? null),
    integer('poolCount', 'pool_count'),
    integer('txCount', 'tx_count'),
    usd('totalVolumeUSD', 'total_volume_usd'),
    scalar('totalVolumeETH', 'BigDecimal', (row) => showDecimal(whole(row, 'volume_native'), usdDecimals)),
    usd('totalFeesUSD', 'total_fees_usd'),
    scalar('totalFeesETH', 'BigDecimal', (row) => showDecimal(whole(row, 'fees_native'), usdDecimals)),
    usd('untrackedVolumeUSD', 'total_volume_usd'),
    usd('totalValueLockedUSD', 'tvl_usd'),
    native('totalValueLockedETH', 'tvl_usd'),
    usd('totalValueLockedUSDUntracked', 'tvl_usd'),
    native('totalValueLockedETHUntracked', 'tvl_usd'),
    constant('owner', 'ID', zeroAddress),
  ],
}

/** The price of the coin in US dollars: one row, with the id 1. */
export const bundle: Entity = {
  name: 'Bundle',
  singular: 'bundle',
  plural: 'bundles',
  source: { kind: 'book', rows: (book) => book.bundle },
  fields: [scalar('id', 'ID', (row) => row['id'] ?? null), usd('ethPriceUSD', 'native_usd')],
}

/** By its address in lower case. Its figures are those of its pools in this index. */
export const token: Entity = {
  name: 'Token',
  singular: 'token',
  plural: 'tokens',
  source: { kind: 'book', rows: (book) => book.tokens },
  fields: [
    bytes('id', 'address'),
    scalar('symbol', 'String', (row) => row['symbol'] ?? ''),
    scalar('name', 'String', (row) => row['name'] ?? ''),
    scalar('decimals', 'BigInt', (row) => String(row['decimals'] ?? 0)),
    exact('totalSupply', 'total_supply'),
    tokenAmount('volume', 'total_volume'),
    usd('volumeUSD', 'total_volume_usd'),
    usd('untrackedVolumeUSD', 'total_volume_usd'),
    usd('feesUSD', 'total_fees_usd'),
    integer('txCount', 'tx_count'),
    scalar('poolCount', 'BigInt', (row, book) => String(poolsOf(row, book).length)),
    tokenAmount('totalValueLocked', 'reserve'),
    tokenValue('totalValueLockedUSD'),
    tokenValue('totalValueLockedUSDUntracked'),
    native('derivedETH', 'price_usd'),
    { kind: 'stored', name: 'whitelistPools', entity: 'Pool', idsOf: poolsOf },
    derived('tokenDayData', 'TokenDayData', 'token'),
  ],
}

function poolsOf(row: Row, book: Book): readonly string[] {
  return book.poolsOfToken.get(String(row['address'])) ?? []
}

/** By its address in lower case. Its figures are those at the block that is asked for. */
export const pool: Entity = {
  name: 'Pool',
  singular: 'pool',
  plural: 'pools',
  source: { kind: 'book', rows: (book) => book.pools },
  fields: [
    bytes('id', 'address'),
    integer('createdAtTimestamp', 'created_timestamp'),
    integer('createdAtBlockNumber', 'created_block'),
    reference('token0', 'Token', 'token0'),
    reference('token1', 'Token', 'token1'),
    integer('feeTier', 'fee'),
    exact('liquidity', 'liquidity'),
    exact('sqrtPrice', 'sqrt_price_x96'),
    poolPrice('token0Price', 'sqrt_price_x96', 0, 'address'),
    poolPrice('token1Price', 'sqrt_price_x96', 1, 'address'),
    integer('tick', 'tick', 'BigInt', true),
    constant('observationIndex', 'BigInt', '0'),
    poolAmount('volumeToken0', 'total_volume0', 0, 'address'),
    poolAmount('volumeToken1', 'total_volume1', 1, 'address'),
    usd('volumeUSD', 'total_volume_usd'),
    usd('untrackedVolumeUSD', 'total_volume_usd'),
    usd('feesUSD', 'total_fees_usd'),
    integer('txCount', 'tx_count'),
    poolAmount('collectedFeesToken0', 'collected0', 0, 'address'),
    poolAmount('collectedFeesToken1', 'collected1', 1, 'address'),
    usd('collectedFeesUSD', 'collected_usd'),
    poolAmount('totalValueLockedToken0', 'reserve0', 0, 'address'),
    poolAmount('totalValueLockedToken1', 'reserve1', 1, 'address'),
    native('totalValueLockedETH', 'tvl_usd'),
    usd('totalValueLockedUSD', 'tvl_usd'),
    usd('totalValueLockedUSDUntracked', 'tvl_usd'),
    constant('liquidityProviderCount', 'BigInt', '0'),
    derived('poolHourData', 'PoolHourData', 'pool'),
    derived('poolDayData', 'PoolDayData', 'pool'),
    derived('mints', 'Mint', 'pool'),
    derived('burns', 'Burn', 'pool'),
    derived('swaps', 'Swap', 'pool'),
    derived('collects', 'Collect', 'pool'),
    derived('ticks', 'Tick', 'pool'),
  ],
}
