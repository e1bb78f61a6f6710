import type { Failure } from '@chainboard/core'
import type { Header } from '../chain/chain.ts'
import { findMost } from '../chain/findMost.ts'
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
  readonly memory: { timeDispute?: Dispute | undefined; newest?: GivenBlock | undefined }
}

/** The last block of the index, and how to ask the node last that gave it; absent where it is the only one. */
export type GivenBlock = { readonly hash: string; readonly distrust?: (() => void) | undefined }

/** What a node said that contradicts the index. `distrust`: asks it last; absent where it is the only one. */
type Contradiction = { readonly failure: Failure; readonly distrust?: (() => void) | undefined }

/**
 * Decides who is wrong when a node's times contradict the index: the node, unless more than half of those that have the index's block give it
 * one and the same other time, for a minute; a lone one for ten where many blocks would be read again.
 * @param block of the index, whose time is in question; undefined: none is
 * @returns an event when the index was taken back to be read again
 * @throws the failure when it is the node that is wrong, which comes last then, or nobody knows yet
 */
export async function settleTimes(
  deps: Deps,
  block: BlockRef | undefined,
  { failure, distrust }: Contradiction,
): Promise<SyncEvent> {
  const { memory } = deps
  const dispute = block && (await findDispute(deps, block))
  if (!dispute) distrust?.()
  else if (!dispute.isLone && memory.newest?.hash === block.hash) {
    // The node that gave the index this block would give the next ones wrong times, too.
    memory.newest.distrust?.()
    memory.newest = undefined
  }
  const wrong = block && dispute && (await findWrong(deps, block, dispute))
  const cursor = (await findCursor(deps.store.read))?.block
  const event = wrong === undefined || !cursor ? undefined : await repair(deps, wrong, cursor)
  if (!event) throw failure
  memory.timeDispute = undefined
  return event
}

/** What most nodes say of the time of a block, where it is not what the index has. */
async function findDispute({ chain, steadyMs, memory }: Deps, block: BlockRef): Promise<TimeDispute | undefined> {
  const given = (await chain.readHeaderOfEach(block.number)).filter((header) => header?.hash === block.hash)
  const time = findTold(given)?.timestampSeconds
  if (time === undefined || time === block.timestampSeconds) {
    memory.timeDispute = undefined
    return undefined
  }
  const claim = `${block.hash} ${time}`
  const before = memory.timeDispute
  const dispute = before?.branch === claim ? before : { number: block.number, branch: claim, sinceMs: steadyMs() }
  memory.timeDispute = dispute
  return { standingMs: steadyMs() - dispute.sinceMs, isLone: given.length === 1 }
}

type TimeDispute = { readonly standingMs: number; readonly isLone: boolean }

async function findWrong(
  { chain, store }: Deps,
  block: BlockRef,
  { standingMs, isLone }: TimeDispute,
): Promise<number | undefined> {
  if (standingMs < timeWaitMs) return undefined
  // The node that is asked first may be the one that misdated the index.
  const readHeader = async (number: number) => findTold(await chain.readHeaderOfEach(number))
  const wrong = await findWrongTimes({ readHeader }, store.read, block)
  const isDeep = wrong !== undefined && block.number - wrong > rereadMax
  return isLone && isDeep && standingMs < deepReorgWaitMs ? undefined : wrong
}

/** The header that more than half of them are, by hash and time. */
function findTold(headers: readonly (Header | undefined)[]): Header | undefined {
  const given = headers.flatMap((header) => header ?? [])
  return findMost(given, ({ hash, timestampSeconds }) => `${hash} ${timestampSeconds}`)
}
