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
import type { TokenMarket } from './takeSnapshot.ts'

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
    ...(quote.atBlock ? [row('block', `${quote.atBlock.number}, ${quote.atBlock.hash}`)] : []),
    row('as of', toIso(quote.observedAtSeconds)),
    row('formula', toFormula(quote)),
    ...quote.route.flatMap((hop, i) => explainHop(hop, i + 1)),
    row('result', `${[...quote.route.map(inQuote), '1'].join(' x ')} = ${rawToDecimal(quote.usdE18, 18)}`),
    row(
      'confidence',
      `${quote.confidence}, shallowest pool ${quote.depthUsdE18 === undefined ? 'none' : usd(quote.depthUsdE18)} within 2 %`,
    ),
    ...reasons.map((reason) => row('weakened by', reason)),
    row('24h change', explainChange(quote.dayAgoUsdE18, market.change24hPercent)),
    row('7d change', explainChange(quote.weekAgoUsdE18, market.change7dPercent)),
    row('24h volume', `${usd(market.volume24hUsdE18)} in all pools of the token`),
    row('market cap', `${usd(market.fdmcUsdE18)} = price x ${token.supply} tokens of the list`),
  ]
}

function toFormula({ route }: Quote): string {
  if (route.length === 0) return 'a token that the network file takes for one US dollar'
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

function explainChange(beforeUsdE18: bigint | undefined, percent: number | undefined): string {
  if (beforeUsdE18 === undefined) return 'not known: a pool on the way is younger'
  return `${formatPercent(percent)} from ${rawToDecimal(beforeUsdE18, 18)}, along the same pools`
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
