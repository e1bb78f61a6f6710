import type { Price } from '@chainboard/sdk'

/** What a tab says to the hub: which tokens it shows, in lower case; that it has taken the last word. */
export type TabWord = { readonly kind: 'want'; readonly addresses: readonly string[] } | { readonly kind: 'taken' }

/** What the hub says to a tab. An empty one says that it is there. */
export type HubWord = {
  /** The newest of each token that the tab shows and whose price is another one. */
  readonly prices: readonly Price[]
  /** Prices of all that the tab shows come as they change. */
  readonly live: boolean
  /** Something was missed, or taken back by the chain: the tab reads its tokens again. */
  readonly reread: boolean
}

/** Tokens of one stream: as many as the price API takes. */
export const addressesMax = 100

/** Whether something that came is a word of a tab: another version of the page may be at the other end. */
export function isTabWord(word: unknown): word is TabWord {
  if (typeof word !== 'object' || word === null || !('kind' in word)) return false
  if (word.kind === 'taken') return true
  return word.kind === 'want' && 'addresses' in word && Array.isArray(word.addresses) && word.addresses.every(isText)
}

/** Whether something that came is a word of a hub. */
export function isHubWord(word: unknown): word is HubWord {
  return typeof word === 'object' && word !== null && 'prices' in word && Array.isArray(word.prices) && 'live' in word
}

const isText = (value: unknown): value is string => typeof value === 'string'
