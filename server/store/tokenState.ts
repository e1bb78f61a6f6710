/**
 * Where a token stands after the latest event of its pools. Amounts in smallest units, US dollars x 10^18 at the moment of
 * each event; `priceUsdE18` is 0 when it had no price.
 */
export type TokenState = TokenEnd & TokenSums & { readonly txCount: number }

/** What its hours and its days have of a token's state. */
export type TokenEnd = {
  /** In all pools, by what events moved. */
  readonly reserve: bigint
  readonly priceUsdE18: bigint
}

/** What was traded of a token since its first pool was made. */
export type TokenSums = { readonly totalVolume: bigint; readonly totalVolumeUsdE18: bigint; readonly totalFeesUsdE18: bigint }

/** Of a token that was never traded. */
export const emptyTokenSums: TokenSums = { totalVolume: 0n, totalVolumeUsdE18: 0n, totalFeesUsdE18: 0n }

/** Of a token whose pools had no event yet: it has no price, which 0 stands for. */
export const emptyTokenState: TokenState = {
  reserve: 0n,
  ...emptyTokenSums,
  txCount: 0,
  priceUsdE18: 0n,
}

type TokenEndRow = { reserve: string; price_usd: string }
type TokenSumsRow = { total_volume: string; total_volume_usd: string; total_fees_usd: string }

/** Columns of a token's state in every table of tokens and their periods. */
export const tokenEndColumns = ['reserve', 'price_usd'] as const satisfies readonly (keyof TokenEndRow)[]

/** Columns of what was traded of a token so far, in the tables of tokens and of their days. */
export const tokenSumColumns = [
  'total_volume',
  'total_volume_usd',
  'total_fees_usd',
] as const satisfies readonly (keyof TokenSumsRow)[]

/** Of a row of tokens, of their hours or of their days. */
export function fromTokenEndRow(row: TokenEndRow): TokenEnd {
  return { reserve: BigInt(row.reserve), priceUsdE18: BigInt(row.price_usd) }
}

/** Of a row of tokens or of their days. */
export function fromTokenSumsRow(row: TokenSumsRow): TokenSums {
  return {
    totalVolume: BigInt(row.total_volume),
    totalVolumeUsdE18: BigInt(row.total_volume_usd),
    totalFeesUsdE18: BigInt(row.total_fees_usd),
  }
}

/** Numbers of any size as decimal text. */
export function toTokenEndRow(state: TokenEnd): TokenEndRow {
  return { reserve: state.reserve.toString(), price_usd: state.priceUsdE18.toString() }
}

/** Numbers of any size as decimal text. */
export function toTokenSumsRow(sums: TokenSums): TokenSumsRow {
  return {
    total_volume: sums.totalVolume.toString(),
    total_volume_usd: sums.totalVolumeUsdE18.toString(),
    total_fees_usd: sums.totalFeesUsdE18.toString(),
  }
}
