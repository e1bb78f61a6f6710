import { formatDate, formatPercent, formatUsdPrice, noValue, type Sample, shortenAddress, toDisplayText } from '@chainboard/core'
import type { TokenMarket } from '../../market/tokenMarket.ts'
import { toWirePoints, toWireToken } from '../toWire.ts'

/** What a picture says of the site. */
export type ShareSite = {
  readonly siteName: string
  readonly chainName: string
  /** `board.example` */
  readonly domain: string
  /** `#rrggbb` */
  readonly accent: string
}

/** `text` as the table has it, `+3.14%`; `way`: up, down, or neither for what rounds to zero. */
export type ShareChange = { readonly text: string; readonly way: 'up' | 'down' | 'none' }

/** All that a picture shows: two tokens with the same facts have the same picture. Texts are cleaned, not yet cut to the room they have. */
export type ShareFacts = ShareSite & {
  readonly name: string
  readonly symbol: string
  readonly address: string
  /** Stands in for a name that cannot be drawn. */
  readonly shortAddress: string
  readonly isVerified: boolean
  readonly warnings: number
  /** `$0.7367`; undefined for a token without a price, for which `reason` says why. */
  readonly price: string | undefined
  readonly reason: string | undefined
  /** Whether the price could not be refreshed. */
  readonly isStale: boolean
  readonly change24h: ShareChange | undefined
  readonly change7d: ShareChange | undefined
  /** Unix seconds and US dollars, ascending, up to the price itself; under two of them there is no line. */
  readonly points: readonly (readonly [atSeconds: number, usd: number])[]
  /** What the price is of, to the minute: `Nov 27, 2026, 01:40 UTC`. */
  readonly time: string
}

type Shown = {
  readonly market: TokenMarket
  /** Of its last seven days. */
  readonly samples: readonly Sample<bigint>[]
  readonly nowSeconds: number
}

/** Beyond it the exact figure says nothing more (web/ui/Delta.tsx). */
const percentShownMax = 9_999

/** What the picture of a token shows now. Pure. */
export function toShareFacts(site: ShareSite, { market, samples, nowSeconds }: Shown): ShareFacts {
  const token = toWireToken(market, { nowSeconds })
  const shortAddress = shortenAddress(token.address)
  const price = token.priceStatus === 'unpriced' ? noValue : formatUsdPrice(token.priceInUsd)
  const isPriced = price !== noValue
  const atSeconds = (isPriced ? token.priceAsOf : undefined) ?? nowSeconds
  return {
    ...site,
    name: toDisplayText(token.name, shortAddress),
    symbol: toDisplayText(token.symbol, shortAddress, 16),
    address: token.address,
    shortAddress,
    isVerified: token.verified,
    warnings: token.warnings.length,
    price: isPriced ? price : undefined,
    reason: isPriced ? undefined : (token.priceReasons[0] ?? 'No source has a price for this token.'),
    isStale: token.priceStatus === 'stale',
    change24h: isPriced ? toChange(token.priceChange24h) : undefined,
    change7d: isPriced ? toChange(token.priceChange7d) : undefined,
    points: isPriced ? toPoints(samples, atSeconds, token.priceInUsd) : [],
    time: toMinute(atSeconds),
  }
}

function toChange(percent: number | null): ShareChange | undefined {
  const text = formatPercent(percent)
  if (percent === null || text === noValue) return undefined
  const way = text.startsWith('+') ? 'up' : text.startsWith('-') ? 'down' : 'none'
  if (Math.abs(percent) <= percentShownMax) return { text, way }
  return { text: way === 'up' ? '> +9,999%' : '< -9,999%', way }
}

/** A line that ends at the price that stands above it, not an hour before. */
function toPoints(samples: readonly Sample<bigint>[], atSeconds: number, usd: number): ShareFacts['points'] {
  const before = toWirePoints(samples).filter(({ time }) => time < atSeconds)
  const points = before.map(({ time, price }) => [time, price] as const)
  return points.length === 0 ? [] : [...points, [Math.floor(atSeconds / 60) * 60, usd]]
}

/** The minute in UTC. */
function toMinute(atSeconds: number): string {
  const clock = new Date(atSeconds * 1_000).toISOString().slice(11, 16)
  return `${formatDate(atSeconds)}, ${clock} UTC`
}
