import { createHash } from 'node:crypto'
import { Failure } from '@chainboard/core'
import type { Valuation } from '../indexer/world.ts'
import { findKeptSince, type KeptSince } from '../store/keptSince.ts'
import type { Schema } from '../store/schema.ts'
import type { Db } from '../store/store.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
import { GraphRefusal } from './graphError.ts'
import type { Row } from './row.ts'

/** Pools a book may hold: beyond it the memory of the thread that answers queries would not do. */
export const poolsMax = 10_000

/** What the entities that are few look like at one block: read whole, and read again when the index has another block. */
export type Book = {
  readonly block: BlockRef
  /** Names this index: chain, factory and scope, hashed. */
  readonly deployment: string
  /** US dollars x 10^18 for one wrapped native coin; 0 when it has no price. */
  readonly nativeUsdE18: bigint
  readonly factory: ReadonlyMap<string, Row>
  readonly bundle: ReadonlyMap<string, Row>
  /** By address, in the order of addresses, as `pools`. */
  readonly tokens: ReadonlyMap<string, Row>
  readonly pools: ReadonlyMap<string, Row>
  readonly poolsOfToken: ReadonlyMap<string, readonly string[]>
  /** From when on rows are kept; absent: from the beginning. */
  readonly kept?: KeptSince
  /** Of an earlier block than the newest: what the tables have in a later state. */
  readonly past?: Past
}

/** Rows of tables as they were at an earlier block, in place of those that have changed since or began after it. */
export type Past = {
  /** When the hour and the day of the block's last event began; all hours and days before are as they were. */
  readonly hourStart: number
  readonly dayStart: number
  /** `<pool>#<tick>` of the ticks in `rows`. */
  readonly changedTicks: readonly string[]
  readonly rows: Readonly<Partial<Record<keyof Schema, readonly Row[]>>>
}

/** What a book is told of the network; addresses in lower case. */
export type BookFacts = { readonly factory: string; readonly valuation: Valuation }

/**
 * Reads the book of the index's own block. With `known`, that one is given back while the index still has its block.
 * @throws GraphRefusal while the index has no block
 */
export async function readBook(db: Db, facts: BookFacts, known?: Book): Promise<Book> {
  const cursor = await findCursor(db)
  if (!cursor?.block) throw new GraphRefusal('The index holds no block of the chain yet')
  const deployment = hashIdentity(cursor.identity)
  if (known && known.block.hash === cursor.block.hash && known.deployment === deployment) return known
  const poolRows = await db
    .selectFrom('pools')
    .selectAll()
    .orderBy('address')
    .limit(poolsMax + 1)
    .execute()
  if (poolRows.length > poolsMax) throw tooManyPools()
  const tokens = await db.selectFrom('tokens').selectAll().orderBy('address').execute()
  const days = await db.selectFrom('exchange_days').select(['native_usd', 'volume_usd', 'fees_usd']).execute()
  return { ...makeBook(facts, { block: cursor.block, deployment, pools: poolRows, tokens, days }), kept: await findKeptSince(db) }
}

type BookRows = Pick<Book, 'block' | 'deployment'> & {
  /** By address. */
  readonly pools: readonly Row[]
  readonly tokens: readonly Row[]
  readonly days: readonly Row[]
}

/** Makes a book of rows. */
export function makeBook(
  { factory, valuation }: BookFacts,
  { block, deployment, pools: poolRows, tokens: tokenRows, days }: BookRows,
): Book {
  const pools = new Map(poolRows.map((row) => [String(row['address']), row]))
  const tokens = new Map(tokenRows.map((row) => [String(row['address']), row]))
  const nativeUsdE18 = BigInt(tokens.get(valuation.wrappedNative)?.['price_usd'] ?? 0)
  return {
    block,
    deployment,
    nativeUsdE18,
    tokens,
    pools,
    poolsOfToken: groupPools(pools),
    factory: new Map([[factory, { id: factory, ...sumPools(poolRows), ...sumInNative(days) }]]),
    bundle: new Map([['1', { id: '1', native_usd: nativeUsdE18.toString() }]]),
  }
}

function hashIdentity(identity: string): string {
  return `chainboard-${createHash('sha256').update(identity).digest('hex').slice(0, 32)}`
}

function tooManyPools(): Failure {
  return new Failure('not-ready', `The subgraph serves at most ${poolsMax} pools, and the index has more`)
}

function groupPools(pools: ReadonlyMap<string, Row>): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [address, row] of pools) {
    for (const token of [String(row['token0']), String(row['token1'])]) {
      const group = groups.get(token)
      if (group) group.push(address)
      else groups.set(token, [address])
    }
  }
  return groups
}

function sumPools(rows: readonly Row[]) {
  const sum = (column: string) => rows.reduce((total, row) => total + BigInt(row[column] ?? 0), 0n).toString()
  return {
    pool_count: rows.length,
    tx_count: Number(sum('tx_count')),
    total_volume_usd: sum('total_volume_usd'),
    total_fees_usd: sum('total_fees_usd'),
    tvl_usd: sum('tvl_usd'),
  }
}

/** Volume and fees of days in the wrapped native coin x 10^18, each day at its own last price. */
function sumInNative(days: readonly Row[]): { volume_native: string; fees_native: string } {
  let [volume, fees] = [0n, 0n]
  for (const day of days) {
    const price = BigInt(day['native_usd'] ?? 0)
    if (price === 0n) continue
    volume += (BigInt(day['volume_usd'] ?? 0) * 10n ** 18n) / price
    fees += (BigInt(day['fees_usd'] ?? 0) * 10n ** 18n) / price
  }
  return { volume_native: volume.toString(), fees_native: fees.toString() }
}
