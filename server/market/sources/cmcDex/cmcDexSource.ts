import type { Address } from '@chainboard/core'
import type { CmcBook } from '../../cmc/cmcBook.ts'
import { quoteFromPair } from '../../cmc/quoteFromCmc.ts'
import type { PriceSource, SourceAnswer } from '../../source.ts'
import type { ListedToken } from '../../tokenList.ts'
import type { CmcSourceDeps } from '../cmcListed/cmcListedSource.ts'

/**
 * Prices of CoinMarketCap's DEX pairs, for tokens with a pool. Each pair costs a credit: ask for those only that need it.
 * @param options.poolOf the pool a token is asked about by
 */
export function createCmcDexSource(
  { client, book, nowMs, signal }: CmcSourceDeps,
  { network, poolOf }: { readonly network: string; readonly poolOf: (token: ListedToken) => Address | undefined },
): PriceSource {
  return {
    name: 'cmcDex',
    read: async (tokens) => {
      const poolOfToken = new Map(tokens.map((token) => [token.id, poolOf(token)]))
      const pools = [...new Set([...poolOfToken.values()].filter((pool) => pool !== undefined))].sort()
      const { rows, status } = await client.readDexPairs(pools, network.toLowerCase(), signal)
      book.keepPairs(rows, status?.timestamp ?? new Date(nowMs()).toISOString())
      const answers = tokens.map(
        (token) => [token.id, answer(book, token.id, poolOfToken.get(token.id), nowMs() / 1000)] as const,
      )
      return { atBlock: undefined, answers: new Map(answers) }
    },
  }
}

function answer(book: CmcBook, token: Address, pool: Address | undefined, nowSeconds: number): SourceAnswer {
  if (!pool) return unpriced('No pool to look up at CoinMarketCap')
  const pair = book.findPair(pool)
  if (!pair) return unpriced(`CoinMarketCap does not know the pool ${pool}`)
  const quote = quoteFromPair(pair.row, token, nowSeconds)
  return quote ? { kind: 'quoted', quote, displayPool: undefined } : unpriced(`CoinMarketCap has no price for the pool ${pool}`)
}

function unpriced(reason: string): SourceAnswer {
  return { kind: 'unpriced', reasons: [reason], displayPool: undefined }
}
