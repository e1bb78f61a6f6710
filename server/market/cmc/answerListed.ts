import type { KeptSource } from '../pollSource.ts'
import type { TokenList } from '../tokenList.ts'
import type { CmcBook } from './cmcBook.ts'
import { slugOf } from './cmcKeys.ts'
import { type CmcWords, sayError, sayWell } from './cmcWords.ts'

export type ListedDesk = {
  readonly list: TokenList
  /** Undefined: there is no key. */
  readonly book: CmcBook | undefined
  /** What is kept of the listing; undefined when it is not asked. */
  readonly listed: Pick<KeptSource, 'reading' | 'failure'> | undefined
  readonly nowMs: number
}

/**
 * A coin of the listing in CoinMarketCap's words, from the newest answer that is kept, old or not. Pure. Slugs that no listed
 * token names are refused as CoinMarketCap refuses unknown ones: nobody outside decides what credits are spent on.
 */
export function answerListed(slug: string, { list, book, listed, nowMs }: ListedDesk): CmcWords {
  if (!book || !listed) return sayError(401, 1002, 'API key missing.', nowMs)
  const wanted = slug.toLowerCase()
  const coin = book.findCoin(wanted)
  if (coin) return sayWell({ [String(coin.row.id)]: coin.row }, coin.timestamp, 0)
  const isOurs = list.tokens.some((token) => slugOf(token) === wanted)
  if (isOurs && !listed.reading) return sayError(500, 500, listed.failure ?? 'CoinMarketCap has not been called yet', nowMs)
  return sayError(400, 400, `Invalid value for "slug": "${slug}"`, nowMs)
}
