import { rawToDecimal, type WarningCode, warningCodes } from '@chainboard/core'
import { Type } from 'typebox'
import { type NetworkFile, toValuation } from '../networkFile.ts'
import type { HopEvidence, PriceStep } from './source.ts'
import type { TokenMarket } from './takeSnapshot.ts'
import { toChecksum } from './toChecksum.ts'

const hopsMax = 20
/** Tokens between one and US dollars, and pools of one token. */
const stepsMax = 1_000
const poolsMax = 1_000
/** Pools that a receipt names, in all its steps. */
const namedPoolsMax = 1_000

export const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'an address' })
/** Depths: of a token without decimals they may be large. */
export const decimalText = Type.String({ pattern: '^\\d{1,70}(\\.\\d{1,18})?$', description: 'a decimal number as a text' })
/** No price is above a nonillion. */
const priceText = Type.String({ pattern: '^\\d{1,31}(\\.\\d{1,18})?$', description: 'a price as a text' })
export const wholeText = Type.String({ pattern: '^\\d{1,60}$', description: 'a whole number as a text' })
export const decimals = Type.Integer({ minimum: 0, maximum: 77, description: 'a whole number from 0 to 77' })
const blockNumber = Type.Integer({ minimum: 0, description: 'a block number' })
export const seconds = Type.Integer({ description: 'unix seconds' })

export function orNull<T extends Parameters<typeof Type.Optional>[0]>(schema: T) {
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
  pools: Type.Unsafe<'all' | 'listed'>(Type.String({ enum: ['all', 'listed'] })),
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

/** A warning: its code, and a sentence with the evidence. */
export const warningSchema = Type.Object({
  code: Type.Unsafe<WarningCode>(Type.String({ enum: [...warningCodes] })),
  text: Type.String(),
})

/** The block that a receipt is of. */
export const blockSchema = Type.Object({
  number: blockNumber,
  hash: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
  timestamp: seconds,
})

/** A SHA-256: docs/prices.md says of which text. */
export const checksumText = Type.String({ pattern: '^[0-9a-f]{64}$' })

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
  restsOn: orNull(Type.Unsafe<'pools' | 'assumption' | 'source'>(Type.String({ enum: ['pools', 'assumption', 'source'] }))),
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
export type Receipt = Type.Static<typeof receiptSchema>

export type PriceRules = Type.Static<typeof priceRulesSchema>

/** Of a market, what its receipt is made of. */
export type ReceiptMarket = Pick<TokenMarket, 'quote' | 'reasons' | 'warnings'> & {
  readonly token: Pick<TokenMarket['token'], 'address' | 'id' | 'symbol'>
}

/** The receipt of a token's price. */
export function toReceipt(market: ReceiptMarket, rules: PriceRules): Receipt {
  const { reasons, warnings, ...provable } = toClaims(market, rules)
  return { ...provable, reasons, warnings, checksum: toChecksum(provable) }
}

/** What a network file says of prices of pools. */
export function toPriceRules(network: NetworkFile): PriceRules {
  const { stables, wrappedNative, quotes, depthFloorUsdE18, windowSeconds } = toValuation(network)
  return {
    factory: network.dex.factory,
    windowSeconds,
    stables: [...stables],
    wrappedNative,
    quotes: [...quotes],
    depthFloorUsd: rawToDecimal(depthFloorUsdE18, 18),
    pools: network.index.pools === 'listed' ? 'listed' : 'all',
  }
}

function toClaims({ token, quote, reasons, warnings }: ReceiptMarket, rules: PriceRules): Omit<Receipt, 'checksum'> {
  const { factory, windowSeconds, ...method } = rules
  const said = { reasons: [...reasons], warnings: [...warnings] }
  const head = { token: token.address, symbol: token.symbol, factory, ...said }
  if (!quote) return { ...head, ...nothing, route: [], steps: [], poolsLeftOut: 0, confidence: 0 }
  const { source, usdE18, atBlock, observedAtSeconds, route, steps, depthUsdE18, confidence } = quote
  const fromChain = atBlock !== undefined
  const named = takeSteps(steps)
  const hasWindow = source === 'index' && route.length > 0
  return {
    ...head,
    priceInUsd: rawToDecimal(usdE18, 18),
    source,
    restsOn: !fromChain ? 'source' : route.length > 0 ? 'pools' : 'assumption',
    block: atBlock ? { number: atBlock.number, hash: atBlock.hash, timestamp: atBlock.timestampSeconds } : null,
    observedAt: observedAtSeconds,
    usd: fromChain ? (route.at(-1)?.quote ?? token.id) : null,
    lastPriceUsd: toDecimal(quote.lastUsdE18),
    priceLow: toDecimal(quote.range?.lowE18),
    priceHigh: toDecimal(quote.range?.highE18),
    costToMove10Percent: toDecimal(quote.costToMoveUsdE18),
    windowSeconds: hasWindow ? windowSeconds : null,
    route: route.map(toHop),
    steps: named.map((step) => ({
      token: step.token,
      symbol: step.symbol,
      priceInUsd: rawToDecimal(step.usdE18, 18),
      pools: step.pools.map(toHop),
    })),
    poolsLeftOut: countPools(steps) - countPools(named),
    depthUsd: toDecimal(depthUsdE18),
    confidence,
    method: hasWindow ? method : null,
  }
}

/** The first steps, as many as have no more pools than a receipt names. */
function takeSteps(steps: readonly PriceStep[]): readonly PriceStep[] {
  let pools = 0
  const end = steps.findIndex((step) => {
    pools += step.pools.length
    return pools > namedPoolsMax
  })
  return end === -1 ? steps : steps.slice(0, end)
}

function countPools(steps: readonly PriceStep[]): number {
  return steps.reduce((sum, { pools }) => sum + pools.length, 0)
}

const nothing = {
  priceInUsd: null,
  lastPriceUsd: null,
  priceLow: null,
  priceHigh: null,
  costToMove10Percent: null,
  windowSeconds: null,
  source: null,
  restsOn: null,
  block: null,
  observedAt: null,
  usd: null,
  depthUsd: null,
  method: null,
} as const

function toDecimal(valueE18: bigint | undefined): string | null {
  return valueE18 === undefined ? null : rawToDecimal(valueE18, 18)
}

function toHop(evidence: HopEvidence): Receipt['route'][number] {
  const { sqrtPriceX96, medianX96, usdE18, depthUsdE18, weightUsdE18, lastSwapAtSeconds, firstSwapAtSeconds, ...hop } = evidence
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
    medianX96: medianX96.toString(),
    usdPrice: rawToDecimal(usdE18, 18),
    depthUsd: rawToDecimal(depthUsdE18, 18),
    weightUsd: rawToDecimal(weightUsdE18, 18),
    lastSwapAt: lastSwapAtSeconds ?? null,
    firstSwapAt: firstSwapAtSeconds ?? null,
  }
}
