import { type Static, Type } from 'typebox'
import { address, blockSchema, checksumText, decimals, decimalText, priceText, seconds, wholeText } from './receiptParts.ts'
import { group } from './route.ts'
import { addressParam, literals, orNull, problems, query } from './shapes.ts'
import { warningSchema } from './warning.ts'

const hopsMax = 20
/** Tokens between one and US dollars, and pools of one token. */
const stepsMax = 1_000
const poolsMax = 1_000

const hopSchema = Type.Object({
  pool: address,
  base: address,
  quote: address,
  baseSymbol: Type.String(),
  quoteSymbol: Type.String(),
  fee: Type.Integer({ minimum: 0 }),
  baseIsToken0: Type.Boolean(),
  decimals0: decimals,
  decimals1: decimals,
  /** After the pool's last event. */
  sqrtPriceX96: wholeText,
  /** The median of the window. */
  medianX96: wholeText,
  /** What the pool says that the base token is worth: its median times the price of the quote token. */
  usdPrice: priceText,
  /** What trades within 2 % of the price, the median of the window. */
  depthUsd: decimalText,
  /** What the pool counts: its depth, and never more than what is behind the price of its quote token. */
  weightUsd: decimalText,
  lastSwapAt: orNull(seconds),
  /** Null: never, or not known. A pool counts as established an hour later. */
  firstSwapAt: orNull(seconds),
})

/** By which rules pools are weighed: the network file's. */
const methodSchema = Type.Object({
  /** Tokens that count as one US dollar. */
  stables: Type.Array(address, { maxItems: 100 }),
  wrappedNative: address,
  /** Further tokens that price others. */
  quotes: Type.Array(address, { maxItems: 100 }),
  /** Pools with less set no price. */
  depthFloorUsd: decimalText,
  /** Which pools the index has: all of the exchange's, or those of listed tokens. */
  pools: literals(['all', 'listed']),
})

/** The same with the rest of what prices of pools follow from, as a site publishes it apart from its receipts. */
export const priceRulesSchema = Type.Object({
  /** Of the exchange. */
  factory: address,
  /** Seconds over which medians are taken. */
  windowSeconds: Type.Integer({ minimum: 1 }),
  ...methodSchema.properties,
})

const stepSchema = Type.Object({
  token: address,
  symbol: Type.String(),
  priceInUsd: priceText,
  /** Every pool that counts. */
  pools: Type.Array(hopSchema, { maxItems: poolsMax }),
})

/** The shape of a receipt. Amounts are exact texts, since JSON numbers are not. */
export const receiptSchema = Type.Object({
  token: address,
  symbol: Type.String(),
  /** US dollars per whole token, to 18 decimals; null: it has no price. */
  priceInUsd: orNull(priceText),
  source: orNull(Type.String()),
  /**
   * What the price rests on: `pools` of the chain, from which anybody can work it out again; an `assumption`, that a stable
   * coin is worth one US dollar; or the word of a `source` outside the chain. Null: there is no price.
   */
  restsOn: orNull(literals(['pools', 'assumption', 'source'])),
  block: orNull(blockSchema),
  observedAt: orNull(seconds),
  factory: address,
  /** US dollars per whole token after the last trade in the pools of the route. */
  lastPriceUsd: orNull(decimalText),
  /** US dollars per whole token between which the price lies. */
  priceLow: orNull(decimalText),
  priceHigh: orNull(decimalText),
  /** US dollars in fees that moving the price by 10 % and back costs. */
  costToMove10Percent: orNull(decimalText),
  /** Seconds over which medians are taken; null where the price does not rest on pools. */
  windowSeconds: orNull(Type.Integer({ minimum: 1 })),
  /** All prices that this one follows from: its own first, each before those that it is made of. */
  steps: Type.Array(stepSchema, { maxItems: stepsMax }),
  /** Pools on the way that this receipt does not name, because it would have more than 1,000: such a price cannot be worked out again. */
  poolsLeftOut: Type.Integer({ minimum: 0 }),
  /** The token at the route's end that counts as one US dollar. */
  usd: orNull(address),
  /** Along the pools that weigh most. */
  route: Type.Array(hopSchema, { maxItems: hopsMax }),
  /** Of the pools that agree with the price. */
  depthUsd: orNull(decimalText),
  confidence: Type.Number(),
  reasons: Type.Array(Type.String()),
  /** What is wrong with the token itself. */
  warnings: Type.Array(warningSchema),
  /** Null where the price does not rest on pools of the index. */
  method: orNull(methodSchema),
  /** Of all the others but `reasons` and `warnings`, which are words of the moment. */
  checksum: checksumText,
})

/** All that a stranger needs to work a price out again, as `GET /api/tokens/{address}/receipt` answers it. */
export type Receipt = Static<typeof receiptSchema>

export type WirePriceRules = Static<typeof priceRulesSchema>

/**
 * How a price came about: pools, formula, inputs and result at one block,
 * for anybody to work out again. 404 for a token that is not listed.
 */
export const receiptRoutes = group('Tokens', {
  getReceipt: {
    method: 'GET',
    url: '/api/tokens/:address/receipt',
    schema: {
      summary: 'A price with all its inputs',
      description: 'Now, or at a block of the last 30 days. `npm run verify` recomputes it from a node.',
      params: addressParam,
      querystring: query({ block: Type.Optional(Type.Integer({ minimum: 0, description: 'a block number' })) }),
      response: { 200: receiptSchema, ...problems },
    },
  },
})
