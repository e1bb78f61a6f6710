import type { Receipt, WirePriceRules } from '@chainboard/contract'
import { rawToDecimal } from '@chainboard/core'
import { toValuation } from '../networkFile.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import type { HopEvidence, PriceStep } from './source.ts'
import { toChecksum } from './toChecksum.ts'
import type { TokenMarket } from './tokenMarket.ts'

/** Pools that a receipt names, in all its steps. */
const namedPoolsMax = 1_000

/** Of a market, what its receipt is made of. */
export type ReceiptMarket = Pick<TokenMarket, 'quote' | 'reasons' | 'warnings'> & {
  readonly token: Pick<TokenMarket['token'], 'address' | 'id' | 'symbol'>
}

/** The receipt of a token's price. */
export function toReceipt(market: ReceiptMarket, rules: WirePriceRules): Receipt {
  const { reasons, warnings, ...provable } = toClaims(market, rules)
  return { ...provable, reasons, warnings, checksum: toChecksum(provable) }
}

/** What a network file says of prices of pools. */
export function toPriceRules(network: NetworkFile): WirePriceRules {
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

function toClaims({ token, quote, reasons, warnings }: ReceiptMarket, rules: WirePriceRules): Omit<Receipt, 'checksum'> {
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
