import { type Address, toLowerHex } from '@chainboard/core'
import type { DisplayPool } from '../source.ts'
import type { ListedToken } from '../tokenList.ts'
import { coinsPerCredit } from './creditBudget.ts'

/** Longest slug asked for, so that 100 of them still fit a URL that servers accept. */
const slugLengthMax = 75
/** CoinMarketCap answers 414 to long URLs of its DEX endpoint: this much of one may be pools. */
const poolsTextLengthMax = 1_700

/** The last part of a token's CoinMarketCap page: `https://coinmarketcap.com/currencies/usd-coin/` -> `usd-coin`. */
export function slugOf({ cmcUrl }: Pick<ListedToken, 'cmcUrl'>): string | undefined {
  const slug = cmcUrl?.split(/[?#]/)[0]?.replace(/\/+$/, '').split('/').at(-1)?.toLowerCase()
  return slug && slug.length <= slugLengthMax && /^[0-9a-z-]+$/.test(slug) ? slug : undefined
}

/** The pool by which CoinMarketCap's DEX side is asked about a token: the list's own, else the one found on the chain. */
export function cmcPoolOf({ priceInfo }: ListedToken, displayPool: DisplayPool | undefined): Address | undefined {
  return priceInfo ? toLowerHex(priceInfo.poolAddress) : displayPool?.pool
}

/** Slugs for one call each: as many as one credit pays for. */
export function sliceSlugs(slugs: readonly string[]): string[][] {
  return slice(slugs, coinsPerCredit)
}

/** Pools for one call each, so many that the URL stays short. */
export function slicePools(pools: readonly Address[]): Address[][] {
  const commaAndAddress = 1 + 42
  return slice(pools, Math.floor(poolsTextLengthMax / commaAndAddress))
}

function slice<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
