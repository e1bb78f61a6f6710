import { parseAddress } from '@chainboard/core'
import type { FeedQuery } from '../../lib/marketUrls.ts'

/** Which part of a feed is shown, as its address says. */
export type FeedView = {
  readonly side: 'buy' | 'sell' | undefined
  /** US dollars. */
  readonly minUsd: number | undefined
  readonly wallet: string | undefined
  /** Cursor of an older page; undefined: the newest swaps. */
  readonly before: string | undefined
}

/** Whose swaps a feed has; none of them: all. */
export type FeedOf = {
  readonly token?: string | undefined
  readonly pool?: string | undefined
  readonly wallet?: string | undefined
}

const pageSize = 50
const usdMax = 1e15
const cursorShape = /^\d{1,12}-\d{1,12}-\d{1,9}$/

/** Keeps what the feed understands of an address that somebody typed, drops the rest. */
export function readFeedView(search: URLSearchParams): FeedView {
  const side = search.get('side')
  const usd = Number(search.get('over') ?? '')
  const before = search.get('before') ?? ''
  return {
    side: side === 'buy' || side === 'sell' ? side : undefined,
    minUsd: Number.isFinite(usd) && usd > 0 && usd <= usdMax ? usd : undefined,
    wallet: parseAddress((search.get('wallet') ?? '').trim()),
    before: cursorShape.test(before) ? before : undefined,
  }
}

/** The address of another part. What else is in it stays; another filter begins at the newest swaps. */
export function writeFeedView(search: URLSearchParams, change: Partial<FeedView>): URLSearchParams {
  const { side, minUsd, wallet, before } = { ...readFeedView(search), before: undefined, ...change }
  const next = new URLSearchParams(search)
  for (const [key, value] of Object.entries({ side, over: minUsd, wallet, before })) {
    if (value === undefined) next.delete(key)
    else next.set(key, String(value))
  }
  return next
}

/** What of a feed is asked for, without a place in it: as the file of it has all. A side is one of a token. */
export function toFeedFilter({ token, pool, wallet }: FeedOf, view: FeedView): Omit<FeedQuery, 'before' | 'limit'> {
  const whose = wallet ?? view.wallet
  return {
    ...(token && { token }),
    ...(pool && { pool }),
    ...(whose && { wallet: whose }),
    ...(token && view.side && { side: view.side }),
    ...(view.minUsd !== undefined && { minUsd: view.minUsd }),
  }
}

/** A page of a feed, as its address asks for it. */
export function toFeedQuery(of: FeedOf, view: FeedView): FeedQuery {
  return { ...toFeedFilter(of, view), ...(view.before && { before: view.before }), limit: pageSize }
}
