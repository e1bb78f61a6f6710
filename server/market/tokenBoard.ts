import type { Address, TokenFilter, TokenSort } from '@chainboard/core'
import { compareBy } from './compareTokens.ts'
import { toTest } from './filterTokens.ts'
import type { Snapshot } from './takeSnapshot.ts'
import type { ListedToken } from './tokenList.ts'
import type { TokenMarket } from './tokenMarket.ts'

/** Which tokens, in which order, which page; what is undefined does not restrict. Pages count from 1. */
export type TokenQuery = {
  readonly search?: string | undefined
  readonly sort?: TokenSort | undefined
  readonly addresses?: readonly Address[] | undefined
  /** Only tokens that can be staked. */
  readonly staking?: boolean | undefined
  /** Absent: all. */
  readonly filter?: TokenFilter | undefined
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

export type TokenSlice = {
  readonly markets: readonly TokenMarket[] /** Tokens that match, on all pages. */
  readonly total: number
}

/** Names and symbols of a list in small letters, one text, so that a search is one pass over it and not a look at each token. */
type SearchText = { readonly tokens: readonly ListedToken[]; readonly text: string; readonly starts: readonly number[] }

/** Ends what is said of a token. In no name, and in no search. */
const tokenEnd = '\0'

/** What is known of a list whatever the market does: names, and each order as it was last, which is nearly the next one. */
type Kept = {
  readonly names: WeakMap<ListedToken, string>
  readonly orders: Map<TokenSort, readonly ListedToken[]>
  searchText: SearchText
}

/**
 * Answers questions about one snapshot. An order is worked out when first asked for and kept, so that a page of a long list
 * costs a filter and a slice.
 */
function createTokenBoard({ markets, byToken, atBlock }: Pick<Snapshot, 'markets' | 'byToken' | 'atBlock'>, kept: Kept) {
  const nowSeconds = atBlock?.timestampSeconds ?? 0
  const orders = new Map<TokenSort, readonly TokenMarket[]>()

  const ordered = (sort: TokenSort): readonly TokenMarket[] => {
    const known = orders.get(sort)
    if (known) return known
    const last = kept.orders.get(sort)?.flatMap(({ id }) => byToken.get(id) ?? [])
    // After another list it lacks tokens.
    const begin = last?.length === markets.length ? last : markets
    const order = begin.toSorted(compareBy(sort, (market) => nameOf(kept, market)))
    orders.set(sort, order)
    kept.orders.set(
      sort,
      order.map(({ token }) => token),
    )
    return order
  }

  let isTextOfThese = false
  const searchFor = (needle: string): ReadonlySet<TokenMarket> => {
    if (!isTextOfThese) kept.searchText = toSearchText(markets, kept.searchText)
    isTextOfThese = true
    return new Set(placesOf(kept.searchText, needle).flatMap((place) => markets[place] ?? []))
  }

  let categories: readonly Category[] | undefined
  return {
    /** What the list calls its tokens, the most frequent first. */
    categories(): readonly Category[] {
      categories ??= countCategories(markets)
      return categories
    },
    slice({ search, sort, addresses, staking, filter, page, pageSize }: TokenQuery): TokenSlice {
      const wanted = addresses && new Set(addresses)
      const needle = search?.trim().toLowerCase()
      let matches = sort ? ordered(sort) : wanted ? [...wanted].flatMap((address) => byToken.get(address) ?? []) : markets
      if (wanted && sort) matches = matches.filter(({ token }) => wanted.has(token.id))
      if (staking) matches = matches.filter(({ token }) => token.stakingContract !== undefined)
      const test = filter && toTest(filter, nowSeconds)
      if (test) matches = matches.filter(test)
      const found = needle ? searchFor(needle) : undefined
      if (found) matches = matches.filter((market) => found.has(market))
      const from = pageSize === undefined ? 0 : ((page ?? 1) - 1) * pageSize
      return { markets: matches.slice(from, pageSize === undefined ? undefined : from + pageSize), total: matches.length }
    },
  }
}

function nameOf({ names }: Kept, { token }: TokenMarket): string {
  const known = names.get(token)
  if (known !== undefined) return known
  const name = token.name.toLowerCase()
  names.set(token, name)
  return name
}

/** @param last is taken where it is of the same tokens */
function toSearchText(markets: readonly TokenMarket[], last: SearchText): SearchText {
  if (last.tokens.length === markets.length && markets.every(({ token }, i) => token === last.tokens[i])) return last
  const lines = markets.map(({ token }) => `${token.name}\n${token.symbol}`.toLowerCase().replaceAll(tokenEnd, ' ') + tokenEnd)
  let end = 0
  const starts = lines.map((line) => {
    end += line.length
    return end - line.length
  })
  return { tokens: markets.map(({ token }) => token), text: lines.join(''), starts }
}

/** The places in the list, ascending, of the tokens with this in their name or symbol. */
function placesOf({ text, starts }: SearchText, needle: string): number[] {
  const places: number[] = []
  if (needle.includes(tokenEnd)) return places
  let place = 0
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, starts[place])) {
    while ((starts[place] ?? text.length) <= at) place += 1
    places.push(place - 1)
    if (place === starts.length) break
  }
  return places
}

export type TokenBoard = ReturnType<typeof createTokenBoard>

/** The board of the snapshot in force. It is made again only when that changes. */
export function keepTokenBoard(current: () => Snapshot): () => TokenBoard {
  const lasting: Kept = { names: new WeakMap(), orders: new Map(), searchText: { tokens: [], text: '', starts: [] } }
  let kept: { readonly snapshot: Snapshot; readonly board: TokenBoard } | undefined
  return () => {
    const snapshot = current()
    if (kept?.snapshot !== snapshot) kept = { snapshot, board: createTokenBoard(snapshot, lasting) }
    return kept.board
  }
}

/** Categories that are told apart; those beyond are rare. */
const categoriesMax = 100

export type Category = { readonly category: string; readonly count: number }

function countCategories(markets: readonly TokenMarket[]): readonly Category[] {
  const counts = new Map<string, number>()
  for (const { token } of markets) if (token.category !== '') counts.set(token.category, (counts.get(token.category) ?? 0) + 1)
  return [...counts]
    .map(([category, count]) => ({ category, count }))
    .sort((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1))
    .slice(0, categoriesMax)
}
