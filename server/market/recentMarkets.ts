import type { Address } from '@chainboard/core'
import type { Snapshot } from './takeSnapshot.ts'
import type { TokenMarket } from './tokenMarket.ts'

const snapshotsMax = 64
/** Of all snapshots together: with 100 tokens 40 snapshots are kept, with 5,000 the newest alone, which is there anyway. */
const marketsMax = 4_096

export type RecentMarkets = {
  /** Keeps a snapshot, and lets go of the oldest ones. @returns the snapshot */
  keep(snapshot: Snapshot): Snapshot
  /** A token's market in the newest snapshot, or in the one of a block; undefined when there is none. */
  find(token: Address, block?: number): TokenMarket | undefined
}

/** The last few snapshots, so that a price can be asked for again a minute after it was served. */
export function keepRecentMarkets(): RecentMarkets {
  let snapshots: readonly Snapshot[] = []
  const newestFirst = () => snapshots.toReversed()
  return {
    keep: (snapshot) => {
      // What was taken at this block or above it is of a branch that the chain has left, or of the same block before.
      const upTo = snapshot.atBlock?.number ?? Number.NEGATIVE_INFINITY
      const others = snapshots.filter(({ atBlock }) => atBlock !== undefined && atBlock.number < upTo)
      snapshots = dropOldest([...others, snapshot])
      return snapshot
    },
    find: (token, block) =>
      newestFirst()
        .find(({ atBlock }) => block === undefined || atBlock?.number === block)
        ?.byToken.get(token),
  }
}

function dropOldest(snapshots: readonly Snapshot[]): readonly Snapshot[] {
  let count = 0
  let markets = 0
  for (const snapshot of snapshots.toReversed()) {
    markets += snapshot.markets.length
    if (count > 0 && (count >= snapshotsMax || markets > marketsMax)) break
    count += 1
  }
  return snapshots.slice(snapshots.length - count)
}
