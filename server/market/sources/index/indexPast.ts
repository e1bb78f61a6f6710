import { type ByRecentSpan, daySeconds, recentSpans, startOfHour } from '@chainboard/core'
import { findBlock } from '../../../store/blocks.ts'
import { readScopeMark } from '../../../store/indexScope.ts'
import { listOldDollars } from '../../../store/oldDollars.ts'
import { type PastPrices, readPastPrices } from '../../../store/pastMedians.ts'
import type { StoreReader, Tx } from '../../../store/store.ts'
import type { BlockRef } from '../../../store/syncCursor.ts'
import { type EndedVolumes, readEndedVolumes } from '../../tradedVolume.ts'
import { type LastingTrust, readLastingTrust } from './lastingTrust.ts'

/** What the market needs of the past of an index. It serves blocks after the one at which it was read, too, until the hour ends. */
export type IndexPast = {
  readonly lastingTrust: LastingTrust
  readonly volumes: EndedVolumes
  /** Prices in the windows before the moments a day, a week and some hours ago. */
  readonly dayAgo: PastPrices
  readonly weekAgo: PastPrices
  readonly recentAgo: ByRecentSpan<PastPrices>
}

type Kept = { readonly atBlock: BlockRef; readonly mark: string; readonly past: IndexPast }

/** Of one index at its newest block. */
export type PastReader = (tx: Tx, store: StoreReader, atBlock: BlockRef) => Promise<IndexPast>

/** What a repair changes in hours that have ended shows after so many seconds of the chain. */
const keptSecondsMax = 60

/**
 * Reads it again when an hour begins, when the chain left the block at which it was read, when dollars were valued again or pools added,
 * and once a minute of the chain. Read with each block it takes most of a market's time: nearly all of it is the same.
 */
export function createPastReader(windowSeconds: number): PastReader {
  const kept = new WeakMap<StoreReader, Kept>()
  const isGood = async (tx: Tx, { atBlock, mark }: Kept, now: BlockRef) => {
    const age = now.timestampSeconds - atBlock.timestampSeconds
    if (age < 0 || age > keptSecondsMax || startOfHour(now.timestampSeconds) > atBlock.timestampSeconds) return false
    return (await findBlock(tx, atBlock.number))?.hash === atBlock.hash && (await readMark(tx)) === mark
  }
  return async (tx, store, atBlock) => {
    const known = kept.get(store)
    if (known && (await isGood(tx, known, atBlock))) return known.past
    const past = await readPast(tx, atBlock.timestampSeconds, windowSeconds)
    kept.set(store, { atBlock, mark: await readMark(tx), past })
    return past
  }
}

/** Another text after every change of what is valued, or of which pools there are besides those that a block makes. */
async function readMark(tx: Tx): Promise<string> {
  return JSON.stringify([await listOldDollars(tx), await readScopeMark(tx)])
}

async function readPast(tx: Tx, nowSeconds: number, windowSeconds: number): Promise<IndexPast> {
  const pricesAgo = (seconds: number) => {
    const moment = nowSeconds - seconds
    return readPastPrices(tx, { atSeconds: moment - windowSeconds, untilSeconds: moment + keptSecondsMax })
  }
  return {
    lastingTrust: await readLastingTrust(tx, nowSeconds),
    volumes: await readEndedVolumes(tx, nowSeconds),
    dayAgo: await pricesAgo(daySeconds),
    weekAgo: await pricesAgo(7 * daySeconds),
    recentAgo: {
      m5: await pricesAgo(recentSpans.m5),
      h1: await pricesAgo(recentSpans.h1),
      h6: await pricesAgo(recentSpans.h6),
    },
  }
}
