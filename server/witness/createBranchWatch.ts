import { Failure } from '@chainboard/core'
import type { Chain, Header } from '../chain/chain.ts'
import { isBehindMost, isLeap, pickHead } from '../chain/headWatch.ts'
import { listBlocksDown } from '../store/blocks.ts'
import type { Store } from '../store/store.ts'
import { createRounds } from './createRounds.ts'
import { failureOfNode } from './failureOfNode.ts'
import { findMostOf, judgeBranch, listOff } from './judgeBranch.ts'
import { toSeconds } from './toSeconds.ts'

/**
 * So far below the newest block that most nodes have, and no higher than the index: nodes may differ about newer blocks for a moment. Not deeper: a node may give up
 * its branch again and again before that, and the end of the index would never be right.
 */
const depth = 3
const everyMs = 10_000
/** A node whose head is so many blocks above those of most others is asked for it: it may have made up the number. */
const aheadMin = 3
/**
 * Nodes differ so often of the last times before anything follows from it: one may just be replacing its blocks, and one that always does
 * is not seen each time.
 */
const often = { times: 3, of: 6 }
/** And a node of the newest block: any may be replacing it, one that always does gives its last blocks of a branch that ends with each look. */
const alwaysOff = { times: 5, of: 6 }

type Deps = {
  readonly nodes: readonly Pick<Chain, 'readHead' | 'readHeader'>[]
  readonly store: Store
  readonly nowMs: () => number
  /** The date; absent: by `nowMs`. */
  readonly nowSeconds?: (() => number) | undefined
  /** Asks a node last. */
  readonly distrust?: ((place: number) => void) | undefined
  /** Asks a node last that is behind; without a place the one that is asked first now. */
  readonly putLast?: ((place?: number) => void) | undefined
  /** Reads a header as the index does: of the node that is asked first now. Absent where that is the only one. */
  readonly readHeader?: Chain['readHeader'] | undefined
  readonly log: { warn(facts: object, text: string): void }
}

export type BranchWatch = {
  /** Asks all nodes, in the background, when it is time to. @param end the last block of the index */
  look(end: number): void
  /** Why the index may be on a branch that the chain is not on, in words; undefined when nothing says so. */
  doubt(): string | undefined
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>
}

/**
 * Compares a block a little below what the index and most nodes have with what every node has there. Headers of a node that has left the chain are
 * sound, and so are its logs and receipts: only the other nodes show it. It comes last then, and the next one's chain is followed.
 */
export function createBranchWatch(deps: Deps): BranchWatch {
  const { nodes, store, nowMs, distrust, log } = deps
  const judgeTip = createTipWatch(deps)
  let differed: readonly boolean[] = []
  let doubt: string | undefined
  const rounds = createRounds(everyMs, nowMs, (error) => {
    if (!(error instanceof Failure)) log.warn({ err: error }, "The nodes' branches could not be compared")
  })

  const ask = async (end: number) => {
    // A node that has left the chain may be ahead of it: what the others do not have yet, they cannot contradict.
    const heads = await Promise.all(nodes.map((node) => node.readHead().catch(failureOfNode)))
    const [first, ...others] = heads.flatMap((head, place) => ('number' in head ? [{ head, place }] : []))
    if (!first) return
    const answered = [first, ...others] as const
    await judgeHeads(deps, answered)
    const common = findCommon(answered)
    await judgeTip(common)
    await judgeBelow(Math.min(end, common - depth))
  }

  const judgeBelow = async (highest: number) => {
    const [block] = await listBlocksDown(store.read, highest, 1)
    if (!block) return
    const hashes = await readHashes(nodes, block.number)
    const verdict = judgeBranch(hashes, block.hash)
    doubt = undefined
    const before = differed.filter(Boolean).length
    differed = [...differed, verdict.kind !== 'agreed'].slice(-often.of)
    if (verdict.kind === 'agreed' || differed.filter(Boolean).length < often.times) return
    if (before < often.times) log.warn({ block: block.number, hashes }, 'Nodes are on different branches of the chain')
    if (verdict.kind === 'undecided') doubt = `The nodes have different blocks ${block.number} without a majority: check RPC_URL`
    if (verdict.kind !== 'split') return
    if (verdict.isIndexOff)
      doubt = `Most nodes have another block ${block.number} than the index, which switches to their branch: check RPC_URL`
    for (const place of verdict.off) distrust?.(place)
    const most = findMostOf(hashes)
    if (verdict.isIndexOff && verdict.off.length === 0 && most !== undefined) await judgeFirst(deps, block.number, most)
  }

  return {
    look(end) {
      if (nodes.length >= 2 && rounds.isDue()) rounds.begin(() => ask(end))
    },
    doubt: () => doubt,
    stop: rounds.stop,
  }
}

type Answered = readonly [AnsweredHead, ...AnsweredHead[]]
type AnsweredHead = { readonly head: Header; readonly place: number }

/** Puts a node last that is behind most others, or claims a head far above theirs without having it. */
async function judgeHeads(
  { nodes, nowMs, nowSeconds = toSeconds(nowMs), distrust, putLast }: Deps,
  answered: Answered,
): Promise<void> {
  // One that goes further ahead little by little is no leap to who follows it.
  const picked = pickHead(answered, { nodes: nodes.length, nowSeconds: nowSeconds() })
  for (const { head, place } of answered) if (isLeap(head, picked.head)) distrust?.(place)
  for (const { head, place } of answered) {
    const rest = answered.filter((each) => each.place !== place).map((each) => each.head)
    const isAhead = rest.filter(({ number }) => head.number >= number + aheadMin).length * 2 > nodes.length - 1
    const isHollow = isAhead && (await nodes[place]?.readHeader(head.number).catch(failureOfNode)) === undefined
    if (isHollow || isBehindMost(head, rest, { others: nodes.length - 1, isLate: true })) putLast?.(place)
  }
}

/** Compares the newest block that most nodes have: a node, or the index, that is nearly always off there follows blocks that the chain drops. */
function createTipWatch(deps: Deps): (common: number) => Promise<void> {
  const { nodes, store, distrust, log } = deps
  const offAtTip = nodes.map((): readonly boolean[] => [])
  let indexOffAtTip: readonly boolean[] = []
  return async (common) => {
    const hashes = await readHashes(nodes, common)
    const off = new Set(listOff(hashes))
    const most = findMostOf(hashes)
    const [own] = await listBlocksDown(store.read, common, 1)
    const isIndexOff = own?.number === common && most !== undefined && own.hash !== most
    indexOffAtTip = [...indexOffAtTip, isIndexOff].slice(-alwaysOff.of)
    if (isIndexOff && indexOffAtTip.filter(Boolean).length >= alwaysOff.times) await judgeFirst(deps, common, most)
    for (const [place, before] of offAtTip.entries()) {
      const looks = [...before, off.has(place)].slice(-alwaysOff.of)
      offAtTip[place] = looks
      if (!off.has(place) || looks.filter(Boolean).length < alwaysOff.times) continue
      if (before.filter(Boolean).length < alwaysOff.times)
        log.warn({ block: common, node: place + 1 }, "A node's newest block always differs from that of most nodes")
      distrust?.(place)
    }
  }
}

/** The nodes' hashes of a block, in their order; undefined of one that did not answer, or does not have the block. */
async function readHashes(nodes: Deps['nodes'], number: number) {
  const headers = await Promise.all(nodes.map((node) => node.readHeader(number).catch(failureOfNode)))
  return headers.map((header) => (header && 'hash' in header ? header.hash : undefined))
}

/** Whether an index is off that every node denies: one of them gave it its branch, and tells the truth when it is compared. It may still tell the index of it. */
async function judgeFirst({ readHeader, putLast }: Deps, number: number, most: string): Promise<void> {
  const told = await readHeader?.(number).catch(failureOfNode)
  if (told === undefined) putLast?.()
  else if ('hash' in told && told.hash !== most) told.distrust?.()
}

/** The highest block that more than half of the nodes that answered have. */
function findCommon(answered: Answered): number {
  const ends = answered.map(({ head }) => head.number)
  return Math.max(...ends.filter((end) => ends.filter((each) => each >= end).length * 2 > ends.length))
}
