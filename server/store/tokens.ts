import type { Address } from '@chainboard/core'
import type { Selectable } from 'kysely'
import { deleteConfirmedWithoutToken } from './confirmedTokens.ts'
import { listInPages } from './listInPages.ts'
import { collectSlices, createInsert } from './rows.ts'
import type { TokensTable } from './schema.ts'
import type { Db, Tx } from './store.ts'
import {
  fromTokenEndRow,
  fromTokenSumsRow,
  type TokenState,
  tokenEndColumns,
  tokenSumColumns,
  toTokenEndRow,
  toTokenSumsRow,
} from './tokenState.ts'

/** What the chain says of a token. `decimals` is undefined when its contract does not answer: such a token has no price. */
export type TokenFactsRow = {
  readonly address: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number | undefined
  /** Smallest units, as last asked. */
  readonly totalSupplyRaw: bigint
}

export type TokenRow = TokenFactsRow & TokenState

const upsertRows = createInsert({
  table: 'tokens',
  key: ['address'],
  replace: [...tokenEndColumns, ...tokenSumColumns, 'tx_count'],
})

/** Writes new tokens and the new state of known ones. */
export async function upsertTokens(tx: Tx, tokens: readonly TokenRow[]): Promise<void> {
  await upsertRows(tx, tokens.map(toTokenRow))
}

/** Those of the addresses that the index has, in no order. */
export async function listTokens(db: Db | Tx, addresses: readonly Address[]): Promise<TokenRow[]> {
  const rows = await collectSlices(addresses, (slice) =>
    db.selectFrom('tokens').selectAll().where('address', 'in', slice).execute(),
  )
  return rows.map(fromRow)
}

/** Every token of a pool of the index, by address. */
export async function listAllTokens(db: Db | Tx): Promise<TokenRow[]> {
  return (await db.selectFrom('tokens').selectAll().orderBy('address').execute()).map(fromRow)
}

/** What the chain says of every token. */
export async function listAllTokenFacts(db: Db | Tx): Promise<TokenFactsRow[]> {
  const select = (after: Address) => db.selectFrom('tokens').select(factsColumns).where('address', '>', after)
  return listInPages((after, limit) => select(after).orderBy('address').limit(limit).execute(), toFactsRow)
}

type Supply = Pick<TokenFactsRow, 'address' | 'totalSupplyRaw'>

/** How many there are of each token, and what it is called, by address. @param from the first address; undefined: the lowest */
export async function listTokenFacts(db: Db | Tx, page: Page): Promise<TokenFactsRow[]> {
  return (await selectFacts(db, page).execute()).map(toFactsRow)
}

/** The same of those that were not read a second time. */
export async function listUnconfirmedTokens(db: Db | Tx, page: Page): Promise<TokenFactsRow[]> {
  const confirmed = db.selectFrom('confirmed_tokens').select('token')
  return (await selectFacts(db, page).where('address', 'not in', confirmed).execute()).map(toFactsRow)
}

type Page = { readonly from?: Address | undefined; readonly limit: number }

function selectFacts(db: Db | Tx, { from = '0x', limit }: Page) {
  return db.selectFrom('tokens').select(factsColumns).where('address', '>=', from).orderBy('address').limit(limit)
}

const factsColumns = ['address', 'symbol', 'name', 'decimals', 'total_supply'] as const

function toFactsRow(row: Pick<Selectable<TokensTable>, (typeof factsColumns)[number]>): TokenFactsRow {
  const { address, symbol, name, decimals, total_supply } = row
  return { address, symbol, name, decimals: decimals ?? undefined, totalSupplyRaw: BigInt(total_supply) }
}

/** Smallest units. Tokens that the index does not have are passed over. */
export async function updateSupplies(tx: Tx, supplies: readonly Supply[]): Promise<void> {
  for (const { address, totalSupplyRaw } of supplies)
    await tx.updateTable('tokens').set({ total_supply: totalSupplyRaw.toString() }).where('address', '=', address).execute()
}

/** Writes what tokens are called. */
export async function updateNames(tx: Tx, tokens: readonly Omit<TokenFactsRow, 'totalSupplyRaw'>[]): Promise<void> {
  for (const { address, symbol, name, decimals = null } of tokens)
    await tx.updateTable('tokens').set({ symbol, name, decimals }).where('address', '=', address).execute()
}

/** Tokens that no pool has any more, after a rollback. */
export async function deleteTokensWithoutPool(tx: Tx): Promise<void> {
  // One list of both sides: asked for each token, every pool would be looked at.
  const sides = tx.selectFrom('pools').select('token0 as token').union(tx.selectFrom('pools').select('token1 as token'))
  await tx.deleteFrom('tokens').where('address', 'not in', sides).execute()
  await deleteConfirmedWithoutToken(tx)
}

function fromRow(row: Selectable<TokensTable>): TokenRow {
  return {
    ...fromTokenEndRow(row),
    ...fromTokenSumsRow(row),
    txCount: row.tx_count,
    address: row.address,
    symbol: row.symbol,
    name: row.name,
    decimals: row.decimals ?? undefined,
    totalSupplyRaw: BigInt(row.total_supply),
  }
}

/** The table's row, as it is written; what is folded in memory alone is read in this shape, too. */
export function toTokenRow(token: TokenRow): Selectable<TokensTable> {
  return {
    ...toTokenEndRow(token),
    ...toTokenSumsRow(token),
    tx_count: token.txCount,
    address: token.address,
    symbol: token.symbol,
    name: token.name,
    decimals: token.decimals ?? null,
    total_supply: token.totalSupplyRaw.toString(),
  }
}

/** What a token is called and what it cost after the latest event of its pools: US dollars x 10^18, 0 without a price. */
export type TokenPrice = Omit<TokenFactsRow, 'totalSupplyRaw'> & Pick<TokenState, 'priceUsdE18'>

/** Of every token. */
export async function listTokenPrices(db: Db | Tx): Promise<TokenPrice[]> {
  const rows = await db.selectFrom('tokens').select(['address', 'symbol', 'name', 'decimals', 'price_usd']).execute()
  return rows.map(({ address, symbol, name, decimals, price_usd }) => ({
    ...{ address, symbol, name, decimals: decimals ?? undefined, priceUsdE18: BigInt(price_usd) },
  }))
}
