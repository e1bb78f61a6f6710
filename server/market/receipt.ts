import { rawToDecimal } from '@chainboard/core'
import { Type } from 'typebox'
import type { NetworkFile } from '../networkFile.ts'
import type { HopEvidence } from './source.ts'
import type { TokenMarket } from './takeSnapshot.ts'

const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'an address' })
const decimalText = Type.String({ pattern: '^\\d{1,80}(\\.\\d{1,40})?$', description: 'a decimal number as a text' })
const wholeText = Type.String({ pattern: '^\\d{1,60}$', description: 'a whole number as a text' })
const decimals = Type.Integer({ minimum: 0, maximum: 77, description: 'a whole number from 0 to 77' })
const blockNumber = Type.Integer({ minimum: 0, description: 'a block number' })
const seconds = Type.Integer({ description: 'unix seconds' })

function orNull<T extends Parameters<typeof Type.Optional>[0]>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

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
  sqrtPriceX96: wholeText,
  depthUsd: decimalText,
  lastSwapAt: orNull(seconds),
})

const hopsMax = 20

/** The shape of a receipt. Amounts are exact texts, since JSON numbers are not. */
export const receiptSchema = Type.Object({
  token: address,
  symbol: Type.String(),
  /** US dollars per whole token, to 18 decimals; null: it has no price. */
  priceInUsd: orNull(decimalText),
  source: orNull(Type.String()),
  /**
   * What the price rests on: `pools` of the chain, from which anybody can work it out again; an `assumption`, that a stable
   * coin is worth one US dollar; or the word of a `source` outside the chain. Null: there is no price.
   */
  restsOn: orNull(Type.Unsafe<'pools' | 'assumption' | 'source'>(Type.String({ enum: ['pools', 'assumption', 'source'] }))),
  block: orNull(Type.Object({ number: blockNumber, hash: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }), timestamp: seconds })),
  observedAt: orNull(seconds),
  factory: address,
  /** The token at the route's end that counts as one US dollar. */
  usd: orNull(address),
  route: Type.Array(hopSchema, { maxItems: hopsMax }),
  /** Of the shallowest pool. */
  depthUsd: orNull(decimalText),
  confidence: Type.Number(),
  reasons: Type.Array(Type.String()),
})

/** All that a stranger needs to work a price out again, as `GET /api/tokens/{address}/receipt` answers it. */
export type Receipt = Type.Static<typeof receiptSchema>

/** The receipt of a token's price. */
export function toReceipt({ token, quote, reasons }: TokenMarket, { dex }: NetworkFile): Receipt {
  const head = { token: token.address, symbol: token.symbol, factory: dex.factory, reasons: [...reasons] }
  if (!quote) {
    const none = { priceInUsd: null, source: null, restsOn: null, block: null, observedAt: null, usd: null, depthUsd: null }
    return { ...head, ...none, route: [], confidence: 0 }
  }
  const { source, usdE18, atBlock, observedAtSeconds, route, depthUsdE18, confidence } = quote
  const fromChain = atBlock !== undefined
  return {
    ...head,
    priceInUsd: rawToDecimal(usdE18, 18),
    source,
    restsOn: !fromChain ? 'source' : route.length > 0 ? 'pools' : 'assumption',
    block: atBlock ? { number: atBlock.number, hash: atBlock.hash, timestamp: atBlock.timestampSeconds } : null,
    observedAt: observedAtSeconds,
    usd: fromChain ? (route.at(-1)?.quote ?? token.id) : null,
    route: route.map(toHop),
    depthUsd: depthUsdE18 === undefined ? null : rawToDecimal(depthUsdE18, 18),
    confidence,
  }
}

function toHop({ sqrtPriceX96, depthUsdE18, lastSwapAtSeconds, ...hop }: HopEvidence): Receipt['route'][number] {
  const { pool, base, quote, baseSymbol, quoteSymbol, fee, baseIsToken0, decimals0, decimals1 } = hop
  return {
    pool,
    base,
    quote,
    baseSymbol,
    quoteSymbol,
    fee,
    baseIsToken0,
    decimals0,
    decimals1,
    sqrtPriceX96: sqrtPriceX96.toString(),
    depthUsd: rawToDecimal(depthUsdE18, 18),
    lastSwapAt: lastSwapAtSeconds ?? null,
  }
}
