import { type Static, Type } from 'typebox'
import { address, blockSchema, checksumText, decimals, decimalText, seconds, wholeText } from './receiptParts.ts'
import { receiptSchema } from './receipts.ts'
import { group } from './route.ts'
import { addressParam, exact, literals, orNull, problems, query } from './shapes.ts'

/** Figures of a token that have a receipt of their own; a price has its own kind. */
export const figureNames = ['change24h', 'volume24h', 'candle', 'marketcap'] as const

export type FigureName = (typeof figureNames)[number]

const poolsMax = 500
const signedText = Type.String({ pattern: '^-?\\d{1,80}(\\.\\d{1,40})?$', description: 'a decimal number as a text' })

const poolSchema = Type.Object({
  pool: address,
  token0: address,
  token1: address,
  fee: Type.Integer({ minimum: 0 }),
  decimals0: orNull(decimals),
  decimals1: orNull(decimals),
  firstSwapAt: orNull(seconds),
})

/** Swaps of one pool after `fromSeconds`, until `toSeconds`, of blocks up to the receipt's. */
const swapsSchema = Type.Object({
  ...poolSchema.properties,
  swaps: Type.Integer({ minimum: 0 }),
  /** Absolute amounts, in smallest units. */
  volume0: wholeText,
  volume1: wholeText,
  /** Each swap by the prices at the end of its block. */
  volumeUsd: decimalText,
  /** Of the swaps: docs/prices/verify.md. */
  checksum: checksumText,
})

const spanSchema = Type.Object({
  /** Not included. */
  fromSeconds: seconds,
  /** Included. */
  toSeconds: seconds,
  pools: Type.Array(swapsSchema, { maxItems: poolsMax }),
  /** Pools whose prices turn amounts into dollars; null: too many to list. */
  pricing: orNull(Type.Array(poolSchema, { maxItems: poolsMax })),
})

/** The shape of a figure's receipt. Of the four parts the one of the figure is there. */
export const figureSchema = Type.Object({
  figure: literals(figureNames),
  token: address,
  symbol: Type.String(),
  /** Percent for `change24h`, US dollars for the others, of a candle its volume; null: there is none, `reasons` say why. */
  value: orNull(signedText),
  reasons: Type.Array(Type.String()),
  block: orNull(blockSchema),
  /** The price at that block, whose route, pools and rules the figure shares. */
  price: receiptSchema,
  change: orNull(
    Type.Object({
      beforeSeconds: seconds,
      /** US dollars per whole token by the medians of the window that ended then. */
      beforeUsd: decimalText,
      /** Of the pools of the price's route, in its order. */
      medians: Type.Array(wholeText, { maxItems: 20 }),
    }),
  ),
  volume: orNull(spanSchema),
  candle: orNull(
    Type.Object({
      startSeconds: seconds,
      /** US dollars per whole token. */
      open: decimalText,
      high: decimalText,
      low: decimalText,
      close: decimalText,
      /** sqrtPriceX96 of the first pool of the price's route. */
      openX96: wholeText,
      highX96: wholeText,
      lowX96: wholeText,
      /** Of every pool of the route at the end of the hour, in its order. */
      closesX96: Type.Array(wholeText, { maxItems: 20 }),
      span: spanSchema,
    }),
  ),
  marketCap: orNull(
    Type.Object({
      /** Whole tokens. */
      supply: signedText,
      supplyFrom: literals(['list', 'chain']),
    }),
  ),
  /** Of all the others but `reasons` and `price`, which has its own in it. */
  checksum: checksumText,
})

/** What a figure is made of, as `GET /api/tokens/{address}/receipt/{figure}` answers it. */
export type FigureReceipt = Static<typeof figureSchema>
export type FigurePool = Static<typeof poolSchema>
export type FigureSpan = Static<typeof spanSchema>

/** Receipts of figures other than the price. 404 for a token that is not listed. */
export const figureRoutes = group('Tokens', {
  getFigureReceipt: {
    method: 'GET',
    url: '/api/tokens/:address/receipt/:figure',
    schema: {
      summary: 'The 24h change, 24h volume, a candle or the market cap, with all its inputs',
      description: 'Now, or at a block of the last 30 days; `hour` names the candle. `npm run verify` recomputes it from a node.',
      params: Type.Object({ ...addressParam.properties, figure: literals(figureNames) }, exact),
      querystring: query({
        block: Type.Optional(Type.Integer({ minimum: 0, description: 'a block number' })),
        hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e11, description: 'unix seconds in the hour of the candle' })),
      }),
      response: { 200: figureSchema, ...problems },
    },
  },
})
