import { sql } from 'kysely'
import { binaryText } from '../binaryText.ts'
import type { Entity, Field, ScalarField, TableSource } from '../entity.ts'
import { bytes, constant, exact, integer, poolAmount, reference, scalar, tokenOfPool, usd } from '../fields.ts'
import { orderOf, textOf } from '../storedColumns.ts'
import { derived } from './bookEntities.ts'

// What happened: transactions, and the events of pools. An event's id is `<transaction's hash>-<log index>`.

const hashLength = 66

const eventId: TableSource['id'] = {
  text: (context) => binaryText(context.engine, sql`(${textOf('tx_hash', context)} || '-' || cast(t.log_index as text))`),
  order: (context) => [...orderOf('tx_hash', context), binaryText(context.engine, sql`cast(t.log_index as text)`)],
}

function eventSource(table: 'swaps' | 'pool_events', eventKind?: string): TableSource {
  return {
    kind: 'table',
    table,
    ...(eventKind && { eventKind }),
    owner: { column: 'pool', entity: 'Pool' },
    time: 'timestamp',
    head: { column: 'tx_hash', length: hashLength },
    id: eventId,
  }
}

const origin = scalar('origin', 'Bytes', () => null, { fromNode: 'origin' })

const eventFields: readonly Field[] = [
  scalar('id', 'ID', (row) => `${row['tx_hash']}-${row['log_index']}`, { sql: { kind: 'id' } }),
  reference('transaction', 'Transaction', 'tx_hash'),
  integer('timestamp', 'timestamp'),
  reference('pool', 'Pool', 'pool'),
]
const tokens = [tokenOfPool('token0'), tokenOfPool('token1')]
const amounts: readonly ScalarField[] = [poolAmount('amount0', 'amount0', 0, 'pool'), poolAmount('amount1', 'amount1', 1, 'pool')]
const range = [integer('tickLower', 'tick_lower'), integer('tickUpper', 'tick_upper')]
const logIndex = integer('logIndex', 'log_index', 'BigInt', true)

/** One that has an event of a pool: there is no table of them, its first event stands for it. */
export const transaction: Entity = {
  name: 'Transaction',
  singular: 'transaction',
  plural: 'transactions',
  source: {
    kind: 'table',
    table: 'transactions',
    time: 'timestamp',
    head: { column: 'hash', length: hashLength },
    id: { text: (context) => textOf('hash', context), order: (context) => orderOf('hash', context) },
  },
  fields: [
    scalar('id', 'ID', (row) => row['hash'] ?? null, { sql: { kind: 'id' } }),
    integer('blockNumber', 'block_number'),
    integer('timestamp', 'timestamp'),
    constant('gasUsed', 'BigInt', '0'),
    scalar('gasPrice', 'BigInt', () => null, { fromNode: 'gasPrice' }),
    derived('mints', 'Mint', 'tx_hash', true),
    derived('burns', 'Burn', 'tx_hash', true),
    derived('swaps', 'Swap', 'tx_hash', true),
    derived('flashed', 'Flash', 'tx_hash', true),
    derived('collects', 'Collect', 'tx_hash', true),
  ],
}

/** Liquidity added. The id is the transaction's hash and the place of the event's log. */
export const mint: Entity = {
  name: 'Mint',
  singular: 'mint',
  plural: 'mints',
  source: eventSource('pool_events', 'mint'),
  fields: [
    ...eventFields,
    ...tokens,
    bytes('owner', 'owner'),
    bytes('sender', 'sender', true),
    origin,
    exact('amount', 'amount'),
    ...amounts,
    usd('amountUSD', 'amount_usd', true),
    ...range,
    logIndex,
  ],
}

/** Liquidity removed. Its tokens are paid out by a collect. */
export const burn: Entity = {
  name: 'Burn',
  singular: 'burn',
  plural: 'burns',
  source: eventSource('pool_events', 'burn'),
  fields: [
    ...eventFields,
    ...tokens,
    bytes('owner', 'owner', true),
    origin,
    exact('amount', 'amount'),
    ...amounts,
    usd('amountUSD', 'amount_usd', true),
    ...range,
    logIndex,
  ],
}

/** Amounts are positive into the pool, in whole tokens. */
export const swap: Entity = {
  name: 'Swap',
  singular: 'swap',
  plural: 'swaps',
  source: eventSource('swaps'),
  fields: [
    ...eventFields,
    ...tokens,
    bytes('sender', 'sender'),
    bytes('recipient', 'recipient'),
    origin,
    ...amounts,
    usd('amountUSD', 'amount_usd'),
    exact('sqrtPriceX96', 'sqrt_price_x96'),
    integer('tick', 'tick'),
    logIndex,
  ],
}

/** Tokens and fees paid out of a position. */
export const collect: Entity = {
  name: 'Collect',
  singular: 'collect',
  plural: 'collects',
  source: eventSource('pool_events', 'collect'),
  fields: [...eventFields, bytes('owner', 'owner', true), ...amounts, usd('amountUSD', 'amount_usd', true), ...range, logIndex],
}

/** What was lent and paid back within a transaction. */
export const flash: Entity = {
  name: 'Flash',
  singular: 'flash',
  plural: 'flashes',
  source: eventSource('pool_events', 'flash'),
  fields: [
    ...eventFields,
    bytes('sender', 'sender'),
    bytes('recipient', 'recipient'),
    ...amounts,
    usd('amountUSD', 'amount_usd'),
    poolAmount('amount0Paid', 'paid0', 0, 'pool'),
    poolAmount('amount1Paid', 'paid1', 1, 'pool'),
    logIndex,
  ],
}
