import type { Address, TokenSort } from '@chainboard/core'
import type { Snapshot, TokenMarket } from './takeSnapshot.ts'

/** Which tokens, in which order, which page; what is undefined does not restrict. Pages count from 1. */
export type TokenQuery = {
  readonly search?: string | undefined
  readonly sort?: TokenSort | undefined
  readonly addresses?: readonly Address[] | undefined
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

export type TokenSlice = {
  readonly markets: readonly TokenMarket[] /** Tokens that match, on all pages. */
  readonly total: number
}

/**
 * Answers questions about one snapshot. An order is worked out when first asked for and kept, so that a page of a long list
 * costs a filter and a slice.
 */
function createTokenBoard({ markets, byToken }: Pick<Snapshot, 'markets' | 'byToken'>) {
  const orders = new Map<TokenSort, readonly TokenMarket[]>()
  const texts = new Map<TokenMarket, string>()

  const ordered = (sort: TokenSort): readonly TokenMarket[] => {
    const known = orders.get(sort)
    if (known) return known
    const order = markets.toSorted(comparers[sort])
    orders.set(sort, order)
    return order
  }
  const textOf = (market: TokenMarket): string => {
    const known = texts.get(market)
    if (known !== undefined) return known
    const text = `${market.token.name}\n${market.token.symbol}`.toLowerCase()
    texts.set(market, text)
    return text
  }

  return {
    slice({ search, sort, addresses, page, pageSize }: TokenQuery): TokenSlice {
      const wanted = addresses && new Set(addresses)
      const needle = search?.trim().toLowerCase()
      let matches = sort ? ordered(sort) : wanted ? [...wanted].flatMap((address) => byToken.get(address) ?? []) : markets
      if (wanted && sort) matches = matches.filter(({ token }) => wanted.has(token.id))
      if (needle) matches = matches.filter((market) => textOf(market).includes(needle))
      const from = pageSize === undefined ? 0 : ((page ?? 1) - 1) * pageSize
      return { markets: matches.slice(from, pageSize === undefined ? undefined : from + pageSize), total: matches.length }
    },
  }
}

export type TokenBoard = ReturnType<typeof createTokenBoard>

/** The board of the snapshot in force, made anew only when that changes. */
export function keepTokenBoard(current: () => Snapshot): () => TokenBoard {
  let kept: { readonly snapshot: Snapshot; readonly board: TokenBoard } | undefined
  return () => {
    const snapshot = current()
    if (kept?.snapshot !== snapshot) kept = { snapshot, board: createTokenBoard(snapshot) }
    return kept.board
  }
}

/** Tokens without the figure come last; what ties keeps the order by market cap. */
const comparers: Readonly<Record<TokenSort, (a: TokenMarket, b: TokenMarket) => number>> = {
  fdmcDesc: (a, b) => a.rank - b.rank,
  priceDesc: (a, b) => descending(a.quote?.usdE18, b.quote?.usdE18) || a.rank - b.rank,
  volumeDesc: (a, b) => descending(a.volume24hUsdE18, b.volume24hUsdE18) || a.rank - b.rank,
  changeDesc: (a, b) => descending(a.change24hPercent, b.change24hPercent) || a.rank - b.rank,
  nameAsc: (a, b) => ascending(a.token.name.toLowerCase(), b.token.name.toLowerCase()) || a.rank - b.rank,
}

function descending<T extends bigint | number>(a: T | undefined, b: T | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return a === b ? 0 : a > b ? -1 : 1
}

function ascending(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
