import type { Address } from '@chainboard/core'
import type { PoolBook } from '../answerFromPools.ts'

/** Pools in a list: a token with more cannot be worked out again pool by pool. */
const poolsMax = 100

type BookPool = PoolBook['pools'][number]

/**
 * The pools whose prices turn the amounts of others into dollars: those that price their tokens, those that price the tokens that these
 * are priced in, and all between one of these tokens and another one or a quote of the network; with one stable coin, all are such tokens. Pure.
 * @returns undefined when they are too many
 */
export function listPricing(
  { pools, routes }: Pick<PoolBook, 'pools' | 'routes'>,
  traded: readonly BookPool[],
): BookPool[] | undefined {
  const tokens = new Set(traded.flatMap(({ token0, token1 }) => [token0, token1]))
  const counting = new Set<Address>()
  for (const token of tokens) {
    const { offers = [], agreeing = [] } = routes.found.get(token) ?? {}
    for (const { hop } of [...offers, ...agreeing]) {
      counting.add(hop.pool)
      tokens.add(hop.quote)
    }
    if (counting.size > poolsMax) return undefined
  }
  // What a coin counts as follows from the others.
  if (routes.stables.some((coin) => tokens.has(coin))) for (const coin of routes.stables) tokens.add(coin)
  // Also those that price nothing now: a token may have had its price by a pool that is empty by now.
  const isQuote = (token: Address) => tokens.has(token) || routes.named.has(token)
  const listed = pools.filter(
    ({ address, token0, token1 }) =>
      counting.has(address) || (tokens.has(token0) && isQuote(token1)) || (tokens.has(token1) && isQuote(token0)),
  )
  return listed.length > poolsMax ? undefined : listed
}
