import { Failure } from '@chainboard/core'
import { findCursor } from '../store/syncCursor.ts'
import type { TimeClaims } from './createTimeClaims.ts'
import { failureOfNode } from './failureOfNode.ts'
import { findTold, findWrongTimes, listMisdating } from './findWrongTimes.ts'
import type { JudgeDeps, Truth } from './judgeBlock.ts'
import type { Backing } from './judgeRepair.ts'
import { type LinesDeps, readLines } from './readLines.ts'
import { type CreatedBlockOf, hasMore, isSameLines, type Lines, listLines, timesOf, withoutTimes } from './spanEvents.ts'

export type FaultDeps = JudgeDeps & LinesDeps

export type CompareDeps = FaultDeps & {
  readonly claims: TimeClaims
  /** Whether a wrong block may be repaired now, or waits. */
  readonly mayRepair: (block: number) => boolean
}

/** A block at which the index is not as the chain is. `liars`: nodes that answer its logs otherwise, by their place. `backing`: what says so. */
export type WrongBlock = { readonly block: number; readonly liars: readonly number[]; readonly backing: Backing }

/**
 * A block that waits. `isUndecided`: nothing has decided yet whether it is wrong. `from`: where the span began that it was read in. `by`: the
 * node that had more of it than the index, by its place, where nothing else is against it.
 */
export type Left = { readonly isUndecided: boolean; readonly from: number; readonly by?: number }

/**
 * What is wrong with the index: from `block` on, where it is only a time; `seenAt` is the block that shows it. `claim`: the time by the nodes.
 */
export type Fault = { readonly block: number; readonly seenAt: number; readonly claim?: string }

type Claimed = { readonly truth: Lines /** Where the span begins that the block was read in. */; readonly from: number }

/** Whether the index has the block otherwise, now: it may have been taken back since its lines were read. */
export async function findFault(
  { nodes, store: { read } }: FaultDeps,
  block: number,
  { truth, from }: Claimed,
): Promise<Fault | undefined> {
  const end = (await findCursor(read))?.block
  if (!end || end.number < block) return undefined
  const rows = await listLines(read, { fromBlock: block, toBlock: block })
  if (!isSameLines(withoutTimes(rows), withoutTimes(truth))) return { block, seenAt: block }
  const told = await findTold(nodes, read, block)
  const own = [told?.ref?.timestampSeconds, timesOf(rows).get(block)]
  if (!told || own.every((seconds) => seconds === undefined || seconds === told.seconds)) return undefined
  // A time that only logs have stated: those before it in the span are as doubtful, and few of them were looked at.
  const lowestRef = await findWrongTimes(told.by, read, { number: block })
  const lowest = lowestRef ?? (told.ref ? block : from)
  const { seconds } = (lowest === block ? told : await findTold(nodes, read, lowest)) ?? told
  return { block: lowest, seenAt: lowestRef ?? block, claim: `${seconds}` }
}

/** Whether a fault counts: nodes have to say for a minute that a time is wrong. */
export function stands(claims: TimeClaims, { block, claim }: Fault): boolean {
  return claim === undefined || claims.stands(block, claim)
}

type Judged = { readonly truth: Truth; readonly fault: Fault; readonly createdBlockOf: CreatedBlockOf }

/** A fault with the nodes that answer its block otherwise, and what says so. @throws Failure of a node, or of the store */
export async function toWrong(deps: FaultDeps, block: number, { truth, fault, createdBlockOf }: Judged): Promise<WrongBlock> {
  const liars = await listLiars(deps, block, { truth: truth.lines, createdBlockOf })
  if (fault.claim !== undefined) {
    const misdating = await listMisdating(deps, fault.block, fault.claim)
    const backing = { ...truth.backing, claim: fault.claim }
    return { block: fault.block, liars: [...new Set([...liars, ...misdating])], backing }
  }
  const rows = await listLines(deps.store.read, { fromBlock: block, toBlock: block })
  return { block, liars, backing: { ...truth.backing, isLoss: !hasMore(truth.lines, rows, block) } }
}

type Test = { readonly truth: Lines; readonly createdBlockOf: CreatedBlockOf }

/** Nodes that answer the block's logs otherwise, by their place. */
async function listLiars(deps: FaultDeps, block: number, { truth, createdBlockOf }: Test): Promise<number[]> {
  const wanted = { fromBlock: block, toBlock: block, createdBlockOf }
  const answers = await Promise.all(deps.nodes.map((node) => readLines(deps, node, wanted).catch(failureOfNode)))
  return answers.flatMap((lines, place) => (lines instanceof Failure || isSameLines(lines, truth) ? [] : [place]))
}
