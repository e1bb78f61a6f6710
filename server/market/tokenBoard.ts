import type { Address, TokenSort } from '@chainboard/core'
import type { Snapshot, TokenMarket } from './takeSnapshot.ts'
import type { ListedToken } from './tokenList.ts'

/** Which tokens, in which order, which page; what is undefined does not restrict. Pages count from 1. */
export type TokenQuery = {
  readonly search?: string | undefined
  readonly sort?: TokenSort | undefined
  readonly addresses?: readonly Address[] | undefined
  /** Only tokens that can be staked. */
  readonly staking?: boolean | undefined
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

export type TokenSlice = {
  readonly markets: readonly TokenMarket[] /** Tokens that match, on all pages. */
  readonly total: number
}

/** What a token is searched and ordered by, in small letters. */
type Names = { readonly name: string; readonly text: string }

/** What is known of a list whatever the market does: names, and each order as it was last, which is nearly the next one. */
type Kept = { readonly names: WeakMap<ListedToken, Names>; readonly orders: Map<TokenSort, readonly ListedToken[]> }

/**
 * Answers questions about one snapshot. An order is worked out when first asked for and kept, so that a page of a long list
 * costs a filter and a slice.
 */
function createTokenBoard({ markets, byToken }: Pick<Snapshot, 'markets' | 'byToken'>, kept: Kept) {
  const orders = new Map<TokenSort, readonly TokenMarket[]>()

  const ordered = (sort: TokenSort): readonly TokenMarket[] => {
    const known = orders.get(sort)
    if (known) return known
    const last = kept.orders.get(sort)?.flatMap(({ id }) => byToken.get(id) ?? [])
    // After another list it lacks tokens.
    const begin = last?.length === markets.length ? last : markets
    const order = begin.toSorted(comparers[sort]((market) => namesOf(kept, market).name))
    orders.set(sort, order)
    kept.orders.set(
      sort,
      order.map(({ token }) => token),
    )
    return order
  }

  return {
    slice({ search, sort, addresses, staking, page, pageSize }: TokenQuery): TokenSlice {
      const wanted = addresses && new Set(addresses)
      const needle = search?.trim().toLowerCase()
      let matches = sort ? ordered(sort) : wanted ? [...wanted].flatMap((address) => byToken.get(address) ?? []) : markets
      if (wanted && sort) matches = matches.filter(({ token }) => wanted.has(token.id))
      if (staking) matches = matches.filter(({ token }) => token.stakingContract !== undefined)
      if (needle) matches = matches.filter((market) => namesOf(kept, market).text.includes(needle))
      const from = pageSize === undefined ? 0 : ((page ?? 1) - 1) * pageSize
      return { markets: matches.slice(from, pageSize === undefined ? undefined : from + pageSize), total: matches.length }
    },
  }
}

function namesOf({ names }: Kept, { token }: TokenMarket): Names {
  const known = names.get(token)
  if (known) return known
  const name = token.name.toLowerCase()
  const made = { name, text: `${name}\n${token.symbol.toLowerCase()}` }
  names.set(token, made)
  return made
}

export type TokenBoard = ReturnType<typeof createTokenBoard>

/** The board of the snapshot in force. It is made again only when that changes. */
export function keepTokenBoard(current: () => Snapshot): () => TokenBoard {
  const lasting: Kept = { names: new WeakMap(), orders: new Map() }
  let kept: { readonly snapshot: Snapshot; readonly board: TokenBoard } | undefined
  return () => {
    const snapshot = current()
    if (kept?.snapshot !== snapshot) kept = { snapshot, board: createTokenBoard(snapshot, lasting) }
    return kept.board
  }
}

type Compare = (a: TokenMarket, b: TokenMarket) => number

/** Tokens without the figure come last; what ties keeps the order by market cap. */
const comparers: Readonly<Record<TokenSort, (nameOf: (market: TokenMarket) => string) => Compare>> = {
  fdmcDesc: () => (a, b) => a.rank - b.rank,
  priceDesc: () => (a, b) => descending(a.quote?.usdE18, b.quote?.usdE18) || a.rank - b.rank,
  volumeDesc: () => (a, b) => descending(a.volume24hUsdE18, b.volume24hUsdE18) || a.rank - b.rank,
  changeDesc: () => (a, b) => descending(a.change24hPercent, b.change24hPercent) || a.rank - b.rank,
  nameAsc: (nameOf) => (a, b) => ascending(nameOf(a), nameOf(b)) || a.rank - b.rank,
}

function descending<T extends bigint | number>(a: T | undefined, b: T | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return a === b ? 0 : a > b ? -1 : 1
}

function ascending(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
