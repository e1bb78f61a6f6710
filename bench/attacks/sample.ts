import type { PriceStatus } from '@chainboard/core'

/** What was served of one token after a block, and what it was worth. US dollars per whole token. */
export type TokenSample = {
  readonly symbol: string
  /** Undefined: it cannot be sold, so no price is right. */
  readonly honestUsd: number | undefined
  readonly servedUsd: number
  readonly apiUsd: number
  readonly status: PriceStatus
  /** What is served with the price and of the token itself: its reasons and its warnings. */
  readonly reasons: readonly string[]
  /** The interval that is served with the price, where there is one. */
  readonly lowUsd: number | undefined
  readonly highUsd: number | undefined
  readonly confidence: number
  /** Whether the token is said to be missing from its pool, so that the pool's TVL is unproven. */
  readonly isShort: boolean
  /** US dollars traded in 24 hours: all, and without what round trips made, where that is served. */
  readonly volumeUsd: number
  readonly organicUsd: number | undefined
  /** US dollars that are said to move the price by 10 %, where that is served. */
  readonly costToMoveUsd: number | undefined
}

export type Sample = {
  readonly block: number
  /** Of the block, by the chain. */
  readonly seconds: number
  readonly tokens: readonly TokenSample[]
  /** Symbols, the first place first. */
  readonly trending: readonly string[]
  /** US dollars that the last of five places is said to cost; 0 where a place is free, or the server does not say. */
  readonly costOfPlaceUsd: number
}

/** Percent by which the page or the price API is off, whichever more; 0 where no price is served, infinite for what cannot be sold. */
export function errorPercent({ honestUsd, servedUsd, apiUsd, status }: TokenSample): number {
  if (status === 'unpriced') return 0
  if (honestUsd === undefined) return Number.POSITIVE_INFINITY
  return 100 * Math.max(Math.abs(servedUsd / honestUsd - 1), Math.abs(apiUsd / honestUsd - 1))
}

/** Whether visitors are warned of the price. */
export function isMarked({ reasons, status }: TokenSample): boolean {
  return reasons.length > 0 || status === 'stale'
}

/** Honest prices are doubles, whose last digits are not those of a price that was worked out in integers. */
const rounding = 1e-12

/** Undefined: no interval is served. What cannot be sold is worth anything from nothing on. */
export function intervalContains({ lowUsd, highUsd, honestUsd = 0 }: TokenSample): boolean | undefined {
  if (lowUsd === undefined || highUsd === undefined) return undefined
  return lowUsd * (1 - rounding) <= honestUsd && honestUsd <= highUsd * (1 + rounding)
}
