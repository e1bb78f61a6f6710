import type { Address } from '@chainboard/core'
import type { PoolBook } from '../answerFromPools.ts'

/** Pools in a list: a token with more cannot be worked out again pool by pool. */
const poolsMax = 100

type BookPool = PoolBook['pools'][number]

/**
 * The pools whose prices turn the amounts of others into dollars: those that price their tokens, those that price the tokens that these
 * are priced in, all between two of these tokens, and where one of them is a stable coin, all between two stable coins. Pure.
 * @returns undefined when they are too many
 */
export function listPricing(
  { pools, routes }: Pick<PoolBook, 'pools' | 'routes'>,
  traded: readonly BookPool[],
): BookPool[] | undefined {
  const tokens = new Set(traded.flatMap(({ token0, token1 }) => [token0, token1]))
  const counting = new Set<Address>()
  for (const token of tokens) {
    for (const { hop } of routes.found.get(token)?.offers ?? []) {
      counting.add(hop.pool)
      tokens.add(hop.quote)
    }
    if (counting.size > poolsMax) return undefined
  }
  const priced = new Set([...tokens].filter((token) => routes.found.has(token)))
  // What a coin counts as follows from the others, also at a time when it counted as a dollar.
  if (routes.stables.some((coin) => tokens.has(coin))) for (const coin of routes.stables) priced.add(coin)
  const listed = pools.filter(
    ({ address, token0, token1 }) => counting.has(address) || (priced.has(token0) && priced.has(token1)),
  )
  return listed.length > poolsMax ? undefined : listed
}
