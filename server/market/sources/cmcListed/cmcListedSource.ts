import type { CmcBook } from '../../cmc/cmcBook.ts'
import type { CmcClient } from '../../cmc/cmcClient.ts'
import { slugOf } from '../../cmc/cmcKeys.ts'
import { quoteFromCoin } from '../../cmc/quoteFromCmc.ts'
import type { PriceSource, SourceAnswer } from '../../source.ts'
import type { ListedToken } from '../../tokenList.ts'

export type CmcSourceDeps = {
  readonly client: CmcClient
  readonly book: CmcBook
  readonly nowMs: () => number
  /** Ends calls that are under way. */
  readonly signal: AbortSignal
}

/** Prices of CoinMarketCap's listing, for tokens whose list entry names their page there. */
export function createCmcListedSource({ client, book, nowMs, signal }: CmcSourceDeps): PriceSource {
  return {
    name: 'cmcListed',
    read: async (tokens) => {
      const slugs = [...new Set(tokens.flatMap((token) => slugOf(token) ?? []))].sort()
      const { rows, status } = await client.readListed(slugs, signal)
      book.keepCoins(rows, status?.timestamp ?? new Date(nowMs()).toISOString())
      return { atBlock: undefined, answers: new Map(tokens.map((token) => [token.id, answer(book, token, nowMs() / 1000)])) }
    },
  }
}

function answer(book: CmcBook, token: ListedToken, nowSeconds: number): SourceAnswer {
  const slug = slugOf(token)
  if (!slug) return unpriced('The token list has no CoinMarketCap page for this token')
  const coin = book.findCoin(slug)
  if (!coin) return unpriced(`CoinMarketCap does not list ${slug}`)
  const quote = quoteFromCoin(coin.row, nowSeconds)
  return quote ? { kind: 'quoted', quote, displayPool: undefined } : unpriced(`CoinMarketCap lists ${slug} without a price`)
}

function unpriced(reason: string): SourceAnswer {
  return { kind: 'unpriced', reasons: [reason], displayPool: undefined }
}
