import { daySeconds, Failure } from '@chainboard/core'
import type { FollowDeps, FollowStatus } from '../indexer/followChain.ts'
import type { Store } from '../store/store.ts'
import { findCursor } from '../store/syncCursor.ts'
import { toTrouble } from './stageMaker.ts'

/** An index that is so little behind catches up before another one is built. Seconds of the chain, and blocks. */
const behindMin = { seconds: 2 * daySeconds, blocks: 20_000 }
/** While an index of the last run is there, one that is behind by so many seconds is not shown instead. */
const behindLittle = 600
const backoffFirstMs = 1_000
const backoffMaxMs = 30_000

type Deps = Pick<FollowDeps, 'chain' | 'limits' | 'pause' | 'nowMs' | 'log'> & { readonly main: Store }

type Gap = {
  readonly signal: AbortSignal
  /** Whether an index of the last run is there. */
  readonly hasIndex: boolean
  readonly onTrouble: (trouble: FollowStatus['trouble']) => void
}

/**
 * How far the whole index is behind, in seconds of the chain, where that is so much that others have to answer for a while. Asked until
 * the node has answered.
 * @returns undefined where it catches up by itself, or is stopped
 */
export async function measureGap(
  { chain, main, limits, pause, nowMs, log }: Deps,
  { signal, hasIndex, onTrouble }: Gap,
): Promise<number | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const cursor = (await findCursor(main.read))?.block
      const head = await chain.readHead()
      onTrouble(undefined)
      const blocks = head.number - (cursor?.number ?? limits.startBlock)
      const seconds = cursor ? head.timestampSeconds - cursor.timestampSeconds : Number.POSITIVE_INFINITY
      const isFar = blocks >= behindMin.blocks && seconds >= behindMin.seconds
      return isFar || (hasIndex && seconds >= behindLittle) ? seconds : undefined
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (failures === 0) log.warn({}, error.message)
      onTrouble(toTrouble(error, nowMs()))
      await pause(Math.min(backoffMaxMs, backoffFirstMs * 2 ** failures), signal)
    }
  }
  return undefined
}
