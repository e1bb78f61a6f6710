import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

// CoinMarketCap's answers as they come: fields appear, vanish and turn null without a word, so that only what is read is
// looked at. Amounts are US dollars; some services send them as text.

const amount = Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()]))
const text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

const listedQuote = Type.Object({
  price: amount,
  volume_24h: amount,
  /** In percent: -9.69 is 9.69 % down. */
  percent_change_24h: amount,
  percent_change_7d: amount,
  market_cap: amount,
  fully_diluted_market_cap: amount,
  last_updated: text,
})

const listedCoin = Type.Object({
  id: Type.Union([Type.Integer(), Type.String()]),
  slug: Type.String(),
  last_updated: text,
  quote: Type.Object({ USD: listedQuote }),
})

const dexQuote = Type.Object({
  convert_id: text,
  /** Of the base asset. */
  price: amount,
  /** Base asset in whole quote assets. */
  price_by_quote_asset: amount,
  volume_24h: amount,
  /** A fraction, whatever its name says: 0.0147 is 1.47 % up. */
  percent_change_price_24h: amount,
  fully_diluted_value: amount,
  last_updated: text,
})

const dexPair = Type.Object({
  contract_address: Type.String(),
  base_asset_contract_address: Type.String(),
  quote_asset_contract_address: Type.String(),
  last_updated: text,
  fully_diluted_value: amount,
  quote: Type.Array(dexQuote, { minItems: 1 }),
})

const status = Type.Object({
  timestamp: text,
  /** A number on the older services, a text on the newer ones. */
  error_code: Type.Union([Type.Number(), Type.String()]),
  error_message: text,
  credit_count: amount,
})

/** A coin of the listing, with every field it came with. */
export type ListedCoin = Static<typeof listedCoin>
/** A pair of an exchange, with every field it came with. */
export type DexPair = Static<typeof dexPair>
export type CmcStatus = Static<typeof status>

const [coinCheck, pairCheck, statusCheck] = [Compile(listedCoin), Compile(dexPair), Compile(status)]

/** `undefined` where there is no status that can be read. */
export function parseStatus(body: unknown): CmcStatus | undefined {
  const found = isRecord(body) ? body['status'] : undefined
  return statusCheck.Check(found) ? found : undefined
}

/**
 * Coins of `data`: keyed by id, by symbol with lists, or a bare list. Entries that cannot be read are left out.
 * `undefined` when there is no data at all.
 */
export function parseCoins(body: unknown): ListedCoin[] | undefined {
  const data = isRecord(body) ? body['data'] : undefined
  if (!isRecord(data) && !Array.isArray(data)) return undefined
  return Object.values(data)
    .flat()
    .filter((entry): entry is ListedCoin => coinCheck.Check(entry))
}

/** Pairs of a bare list, or of one in `data`. Entries that cannot be read are left out. */
export function parsePairs(body: unknown): DexPair[] | undefined {
  const data = isRecord(body) ? body['data'] : body
  return Array.isArray(data) ? data.filter((entry): entry is DexPair => pairCheck.Check(entry)) : undefined
}

/** A figure, whether it came as a number or as text; `undefined` for none. */
export function toFigure(value: number | string | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const figure = Number(value)
  return Number.isFinite(figure) ? figure : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
