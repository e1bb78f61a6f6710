import type { CandleInterval, Sample } from '@chainboard/core'
import type { IndexReader } from '../../store/indexSwitch.ts'
import type { Candle } from '../readChart.ts'
import type { PoolHistory } from '../source.ts'
import type { Snapshot } from '../takeSnapshot.ts'

/** US dollars x 10^18 per whole token. */
export type Prices = { readonly open: bigint; readonly high: bigint; readonly low: bigint; readonly close: bigint }

/**
 * One step of a trader's chart: last prices, and fair prices where they are known. A step without a trade has the prices that the token had
 * all the same, and no volume.
 */
export type TraderCandle = Candle & { readonly fair: Prices | undefined }

export type CandlePage = {
  /** Ascending, one for every step of the page in which the token had a price. */
  readonly candles: readonly TraderCandle[]
  /** Where the page before ends, unix seconds; undefined: there is none. */
  readonly nextBefore: number | undefined
  /** Unix seconds from when on there is anything to make candles of; undefined: from the beginning. */
  readonly sinceSeconds: number | undefined
  /** The price that the token's 24h change is measured from; undefined when it has none. */
  readonly dayAgo: Sample<bigint> | undefined
  /** Why there are no candles. */
  readonly reason: string | undefined
}

/** `before`: unix seconds at which the page ends; absent: it ends with the newest block. */
export type CandleRequest = { readonly interval: CandleInterval; readonly before?: number | undefined }

export type CandleReader = {
  readonly history: PoolHistory
  readonly index: IndexReader
  readonly snapshot: Pick<Snapshot, 'atBlock'>
  /** Of the median that a fair price is. */
  readonly windowSeconds: number
  /** The newest day alone is valued: older hours would say that trades were worth nothing. */
  readonly isNewestOnly: boolean
  /** Absent: {@link swapsMax}. */
  readonly swapsAtMost?: number
}

/** Swaps of one pool that a page is made of: with more of them it is shorter. */
export const swapsMax = 20_000

/** Steps of one page of candles, before they are merged to the candles of its interval. */
export type Steps = {
  readonly candles: readonly TraderCandle[]
  /** Seconds at which the first step begins: later than asked when too much was traded. */
  readonly fromSeconds: number
  readonly hasTrades: boolean
  /** When the pool that prices the token last traded before that. */
  readonly tradedBefore: number | undefined
}

/** What is read, of a token with a price. `nowSeconds`: of the newest block. */
export type StepSpan = {
  readonly interval: CandleInterval
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly nowSeconds: number
}
