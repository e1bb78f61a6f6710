import { e18ToNumber, type TokenSort } from '@chainboard/core'
import type { TokenMarket } from './tokenMarket.ts'

type Compare = (a: TokenMarket, b: TokenMarket) => number

/** What an order goes by; undefined: the token does not have it. */
type Figure = (market: TokenMarket) => bigint | number | undefined

const ifPriced =
  (figure: Figure): Figure =>
  (market) =>
    market.quote && figure(market)

/** What a list can be sorted by, without the direction. */
type KeyOf<Sort> = Sort extends `${infer Key}Asc` ? Key : Sort extends `${infer Key}Desc` ? Key : never
type Key = KeyOf<TokenSort>

const figures = {
  price: ({ quote }) => quote?.usdE18,
  volume: ({ volume24hUsdE18 }) => volume24hUsdE18,
  change: ({ change24hPercent }) => change24hPercent,
  change5m: ({ recentPercent }) => recentPercent?.m5,
  change1h: ({ recentPercent }) => recentPercent?.h1,
  change6h: ({ recentPercent }) => recentPercent?.h6,
  change7d: ({ change7dPercent }) => change7dPercent,
  liquidity: ({ depthUsdE18 }) => depthUsdE18,
  organic: ({ organic }) => organic && e18ToNumber(organic.usdE18),
  confidence: ifPriced(({ quote }) => quote?.confidence),
  // The oldest has the most of it.
  age: ({ firstTradeAtSeconds }) => (firstTradeAtSeconds === undefined ? undefined : -firstTradeAtSeconds),
} as const satisfies Readonly<Record<Exclude<Key, 'fdmc' | 'name'>, Figure>>

/** How tokens stand in an order. Those without the figure come last in either direction; what ties keeps the order by market cap. */
export function compareBy(sort: TokenSort, nameOf: (market: TokenMarket) => string): Compare {
  const isAscending = sort.endsWith('Asc')
  const key = sort.replace(/(?:Asc|Desc)$/, '') as Key
  if (key === 'fdmc') return isAscending ? risingRanks : (a, b) => a.rank - b.rank
  const byFigure = key === 'name' ? byName(nameOf, isAscending) : compareFigures(figures[key], isAscending)
  return (a, b) => byFigure(a, b) || a.rank - b.rank
}

/** Ranks count tokens without a price last. */
const risingRanks: Compare = (a, b) => Number(!a.quote) - Number(!b.quote) || (a.quote ? b.rank - a.rank : a.rank - b.rank)

function byName(nameOf: (market: TokenMarket) => string, isAscending: boolean): Compare {
  return (a, b) => {
    const [first, second] = isAscending ? [nameOf(a), nameOf(b)] : [nameOf(b), nameOf(a)]
    return first === second ? 0 : first < second ? -1 : 1
  }
}

function compareFigures(figure: Figure, isAscending: boolean): Compare {
  return (a, b) => {
    const [first, second] = [figure(a), figure(b)]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined)
    if (first === second) return 0
    return first < second === isAscending ? -1 : 1
  }
}
