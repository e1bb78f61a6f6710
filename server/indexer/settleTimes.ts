import type { Failure } from '@chainboard/core'
import { type Dispute, deepReorgWaitMs } from '../chain/judgeReorg.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
import { findWrongTimes } from '../witness/findWrongTimes.ts'
import type { SyncEvent } from './syncMachine.ts'
import { repair } from './takeRange.ts'

/** Nodes that tell another time than the index are believed after this: what makes them err may be over by then. */
const timeWaitMs = 60_000
/** Blocks that are read again on the word of a lone one then; for more of them it has to stay with it as for a deep reorg. */
const rereadMax = 1_000

type Deps = Parameters<typeof repair>[0] & {
  readonly steadyMs: () => number
  readonly memory: { timeDispute?: Dispute | undefined }
}

/**
 * Decides who is wrong when a node's times contradict the index: the node, unless every node that has the index's block gives it one and the
 * same other time, for a minute; a lone one for ten where many blocks would be read again.
 * @param block of the index, whose time is in question; undefined: none is
 * @returns an event when the index was taken back to be read again
 * @throws the failure when it is the node that is wrong
 */
export async function settleTimes(deps: Deps, block: BlockRef | undefined, failure: Failure): Promise<SyncEvent> {
  const wrong = block && (await findWrong(deps, block))
  const cursor = (await findCursor(deps.store.read))?.block
  const event = wrong === undefined || !cursor ? undefined : await repair(deps, wrong, cursor)
  if (!event) throw failure
  deps.memory.timeDispute = undefined
  return event
}

async function findWrong({ chain, store, steadyMs, memory }: Deps, block: BlockRef): Promise<number | undefined> {
  const given = (await chain.readHeaderOfEach(block.number)).filter((header) => header?.hash === block.hash)
  const time = given[0]?.timestampSeconds
  const isOther = time !== undefined && time !== block.timestampSeconds && given.every((each) => each?.timestampSeconds === time)
  if (!isOther) {
    memory.timeDispute = undefined
    return undefined
  }
  const claim = `${block.hash} ${time}`
  const dispute =
    memory.timeDispute?.branch === claim ? memory.timeDispute : { number: block.number, branch: claim, sinceMs: steadyMs() }
  memory.timeDispute = dispute
  const standingMs = steadyMs() - dispute.sinceMs
  if (standingMs < timeWaitMs) return undefined
  const wrong = await findWrongTimes(chain, store.read, block)
  const isDeep = wrong !== undefined && block.number - wrong > rereadMax
  return given.length === 1 && isDeep && standingMs < deepReorgWaitMs ? undefined : wrong
}
