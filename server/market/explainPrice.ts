import {
  e18ToNumber,
  formatFeeTier,
  formatMoney,
  formatPercent,
  hopPrice,
  oneE18,
  rawToDecimal,
  timesFraction,
} from '@chainboard/core'
import type { HopEvidence, Quote } from './source.ts'
import { getDefinition } from './sourceRegistry.ts'
import type { TokenMarket } from './tokenMarket.ts'

const digitsShown = 36

/** The whole trail of one price, line by line, so that a reader with the chain at hand can work it out again. */
export function explainPrice(market: TokenMarket): string[] {
  const { token, quote, reasons } = market
  const title = `${token.symbol} (${token.name}), ${token.address}`
  if (!quote) return [title, row('price', 'none'), ...reasons.map((reason) => row('because', reason))]
  return [
    title,
    row('price', `${rawToDecimal(quote.usdE18, 18)} US dollars per whole token`),
    row('source', quote.source),
    ...(quote.atBlock ? explainFromChain(quote) : explainAsTold(market, quote)),
    ...reasons.map((reason) => row('weakened by', reason)),
    row('24h change', explainChange(quote.dayAgoUsdE18, market.change24hPercent, quote)),
    row('7d change', explainChange(quote.weekAgoUsdE18, market.change7dPercent, quote)),
    row('24h volume', explainVolume(market.volume24hUsdE18, quote)),
    row('market cap', explainMarketCap(market)),
  ]
}

function explainFromChain(quote: Quote): string[] {
  const { atBlock, route, usdE18, depthUsdE18 } = quote
  const depth = depthUsdE18 === undefined ? 'none' : usd(depthUsdE18)
  return [
    ...(atBlock ? [row('block', `${atBlock.number}, ${atBlock.hash}`)] : []),
    row('as of', toIso(quote.observedAtSeconds)),
    row('formula', toFormula(quote)),
    ...route.flatMap((hop, i) => explainHop(hop, i + 1)),
    row('result', `${[...route.map(inQuote), '1'].join(' x ')} = ${rawToDecimal(usdE18, 18)}`),
    row('confidence', `${quote.confidence}, shallowest pool ${depth} within 2 %`),
  ]
}

/** What somebody else says can be asked for again, and not worked out. */
function explainAsTold(market: TokenMarket, quote: Quote): string[] {
  const askedAs = getDefinition(quote.source).askedAs?.(market, quote)
  return [
    ...(askedAs === undefined ? [] : [row('asked as', askedAs)]),
    row('as of', `${toIso(quote.observedAtSeconds)}, as ${publisherOf(quote)} says`),
    row('confidence', `${quote.confidence}: a price from outside the chain cannot be recomputed`),
  ]
}

function publisherOf({ source }: Quote): string {
  const { publisher, inSentences } = getDefinition(source)
  return publisher ?? inSentences
}

function explainVolume(volumeUsdE18: bigint | undefined, quote: Quote): string {
  const isOfPools = quote.atBlock !== undefined || getDefinition(quote.source).volumeOfPools === true
  const volume = volumeUsdE18 === undefined ? 'not all read yet' : usd(volumeUsdE18)
  return `${volume} ${isOfPools ? 'in all pools of the token' : `as ${publisherOf(quote)} counts it`}`
}

function explainMarketCap({ token, supply, quote, fdmcUsdE18 }: TokenMarket): string {
  if (quote?.fdmcUsdE18 !== undefined) return `${usd(fdmcUsdE18)}, as ${quote.source} says`
  if (supply === undefined) return 'unknown: neither the list nor the chain gives the supply'
  return `${usd(fdmcUsdE18)} = price x ${supply} tokens ${token.supply === undefined ? 'on the chain' : 'of the list'}`
}

function toFormula({ route }: Quote): string {
  if (route.length === 0) return 'a token that the network file counts as one US dollar'
  return [...route.map(({ baseSymbol, quoteSymbol }) => `${baseSymbol} in ${quoteSymbol}`), '1 US dollar'].join(' x ')
}

function explainHop(hop: HopEvidence, place: number): string[] {
  const { baseIsToken0, decimals0, decimals1, baseSymbol, quoteSymbol, sqrtPriceX96 } = hop
  const formula = baseIsToken0
    ? `sqrtPriceX96^2 x 10^${decimals0} / (2^192 x 10^${decimals1})`
    : `2^192 x 10^${decimals1} / (sqrtPriceX96^2 x 10^${decimals0})`
  return [
    row(`pool ${place}`, `${hop.pool}, fee ${formatFeeTier(hop.fee)}, ${baseSymbol} is token${baseIsToken0 ? 0 : 1}`),
    row('', `decimals of token0 ${decimals0}, of token1 ${decimals1}; sqrtPriceX96 ${sqrtPriceX96}`),
    row('', `${baseSymbol} in ${quoteSymbol} = ${formula} = ${inQuote(hop)}`),
    row(
      '',
      `depth ${usd(hop.depthUsdE18)} within 2 %; last swap ${hop.lastSwapAtSeconds === undefined ? 'never' : toIso(hop.lastSwapAtSeconds)}`,
    ),
  ]
}

function inQuote(hop: HopEvidence): string {
  return rawToDecimal(timesFraction(oneE18 * oneE18, hopPrice(hop, hop.sqrtPriceX96)), digitsShown)
}

function explainChange(beforeUsdE18: bigint | undefined, percent: number | undefined, { atBlock }: Quote): string {
  if (beforeUsdE18 === undefined) return atBlock ? 'unknown: a pool on the route is younger' : 'not known'
  const how = atBlock ? 'along the same pools' : 'as the same source says'
  return `${formatPercent(percent)} from ${rawToDecimal(beforeUsdE18, 18)}, ${how}`
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(12)} ${text}`
}

function usd(valueE18: bigint): string {
  return formatMoney(e18ToNumber(valueE18))
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
