import { type Address, Failure } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { invalid, type ParsedLog, parseLog } from '../chain/parseAnswer.ts'
import { toHex, toSlices } from '../chain/readRange.ts'
import { findBlock } from '../store/blocks.ts'
import { findFirstKept } from '../store/keptSince.ts'
import { listPoolChecks, upsertPoolChecks } from '../store/poolChecks.ts'
import { listPoolAddresses } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import { findCursor } from '../store/syncCursor.ts'
import { createTimeClaims, type TimeClaims } from './createTimeClaims.ts'
import { failureOfNode } from './failureOfNode.ts'
import type { HoleDeps } from './findHole.ts'
import { findTold, findWrongTimes, listMisdating } from './findWrongTimes.ts'
import { judgeBlock, type Truth } from './judgeBlock.ts'
import type { Backing } from './judgeRepair.ts'
import { readSpanTimes } from './readSpanTimes.ts'
import {
  type CreatedBlockOf,
  isSameLines,
  type Keeping,
  type Lines,
  linesOf,
  listDifferingBlocks,
  listLines,
  timesOf,
  toLines,
  withoutTimes,
} from './spanEvents.ts'
import { toSeconds } from './toSeconds.ts'

/** A block is read a second time when it has been in the index for so long: what made a node lie the first time may be over. */
const ageMs = 60_000
/** Spans of what is new are read so seldom; a backlog, as after the first sync, is read by one span a look. */
const everyMs = 60_000
/** And once more when it has been there for so long: a node may leave out the same again, and the next one, too. */
const againMs = 240_000
/** A node that left something out may have done so before: what was stored so lately is read once more. */
const windowMs = 300_000
/** Places of the index over the last minutes, one a look. */
const marksMax = 64
const spanFirst = 500
const spanWidest = 100_000
/** Events that one span should hold: bounds memory and the node's work. */
const eventsWanted = 5_000
/** Blocks that receipts decide about in one span. */
const judgedMax = 16
/** Wrong blocks that wait for their repair; with more of them nothing further is read. */
const waitingMax = 1_000

export type SecondReadingDeps = Omit<HoleDeps, 'read'> &
  Keeping & {
    readonly store: Store
    readonly startBlock: number
    /** A clock for waits, which nobody sets. */
    readonly nowMs: () => number
    /** The date; absent: by `nowMs`. */
    readonly nowSeconds?: (() => number) | undefined
    readonly distrust?: ((place: number) => void) | undefined
    /** Whether a wrong block may be repaired now, or waits. */
    readonly mayRepair: (block: number) => boolean
  }

/** A block at which the index is not as the chain is. `liars`: nodes that answer its logs otherwise, by their place. `backing`: what says so. */
export type WrongBlock = { readonly block: number; readonly liars: readonly number[]; readonly backing: Backing }

/**
 * A block that waits. `isUndecided`: nothing has decided yet whether it is wrong. `from`: where the span began that it was read in. `by`: the
 * node that had more of it than the index, by its place, where nothing else is against it.
 */
type Left = { readonly isUndecided: boolean; readonly from: number; readonly by?: number }

export type Waiting = { readonly block: number; readonly isUndecided: boolean }

export type SecondReading = {
  /**
   * Reads the next span of the index again, if one is due.
   * @param index its last block, and the pools that it has there
   * @returns a block that is wrong in the index and may be repaired; undefined when none is, or the node does not answer
   */
  step(index: { readonly end: number; readonly createdBlockOf: CreatedBlockOf }): Promise<WrongBlock | undefined>
  /** A node was caught leaving something out at a block: what was stored lately is read once more. */
  caught(block: number): void
  /** A block is wrong in the index and cannot be repaired now: it is judged again when it may be. */
  leave(block: number): void
  /** Nothing decides whether the index will have all of a block that it is about to have: it is judged until something does. */
  doubt(block: number): void
  /** The lowest block that waits: it is wrong, or nothing decides whether it is. */
  waiting(): Waiting | undefined
  /** The index ends here now. */
  rewound(to: number): void
}

/**
 * Reads every block a second time, later, in wide spans and of the next node: what no contract's state shows is found so, as a
 * Collect, or a Mint and the Burn of it. What is followed is read every minute until it is four minutes old, without a further
 * call. A difference is only a suspicion; receipts decide, and of times the header. A time is believed to be wrong when nodes have said
 * the same of it for a minute.
 */
export function createSecondReading(deps: SecondReadingDeps): SecondReading {
  const { nodes, store, nowMs, nowSeconds = toSeconds(nowMs), factory } = deps
  const claims = createTimeClaims(nowMs)
  /** What is to be read next; up to `settled` everything was read late enough not to be read again. */
  let next: number | undefined
  let settled = deps.startBlock - 1
  let marks: { readonly atMs: number; readonly block: number }[] = []
  let [span, spanMax, dueAtMs, rewinds, turn] = [spanFirst, spanWidest, 0, 0, 0]
  /** Blocks that wait. */
  const left = new Map<number, Left>()
  /** Readings in a row that left a difference undecided; where the first span begins that was passed over with one. */
  let [undecided, passedOver] = [0, Number.POSITIVE_INFINITY]

  /** The newest block that the index had so long ago. */
  const blockOf = (agoMs: number) => marks.findLast(({ atMs }) => atMs <= nowMs() - agoMs)?.block
  const mark = (cursor: number) => {
    marks = [...marks, { atMs: nowMs(), block: cursor }].slice(-marksMax)
    const old = marks.findLastIndex(({ atMs }) => atMs <= nowMs() - windowMs)
    marks = marks.slice(Math.max(0, old))
  }
  const goBack = (to: number) => {
    if (next !== undefined && next > to + 1) next = Math.max(deps.startBlock, to + 1)
    settled = Math.min(settled, Math.max(deps.startBlock - 1, to))
  }
  const load = async () => {
    if (next !== undefined) return next
    // The factory's row among the checks of pools: up to its block everything was read again, late enough.
    const row = (await listPoolChecks(store.read)).find(({ pool }) => pool === factory)
    settled = row ? row.blockNumber : deps.startBlock - 1
    next = settled + 1
    marks = [{ atMs: Number.NEGATIVE_INFINITY, block: settled }, ...marks]
    return next
  }
  const keep = async ({ fromBlock, toBlock }: Span) => {
    next = Math.max(next ?? 0, toBlock + 1)
    if (fromBlock <= settled + 1) settled = Math.max(settled, Math.min(toBlock, blockOf(againMs) ?? settled))
    const atSeconds = nowSeconds()
    // A server that starts again has to find again what waits.
    const blockNumber = Math.min(settled, passedOver - 1, ...[...left.keys()].map((block) => block - 1))
    await store.write((tx) => upsertPoolChecks(tx, [{ pool: factory, blockNumber, atSeconds }]))
  }

  /** Judges blocks that waited, when they may be repaired; in turn, as there may be no receipts of some. */
  const judgeLeft = async (end: number, createdBlockOf: CreatedBlockOf): Promise<WrongBlock | undefined> => {
    const blocks = [...left.keys()].filter((each) => each <= end && deps.mayRepair(each)).slice(0, judgedMax)
    for (const block of blocks) {
      const wrong = await judgeOne(block, createdBlockOf)
      if (wrong) return wrong
    }
    return undefined
  }

  const judgeOne = async (block: number, createdBlockOf: CreatedBlockOf): Promise<WrongBlock | undefined> => {
    const waited = left.get(block)
    if (!waited) return undefined
    left.delete(block)
    left.set(block, waited)
    const since = rewinds
    const truth = await judgeBlock(deps, block, createdBlockOf)
    if (!truth || truth === 'tied' || since !== rewinds) return undefined
    const { from } = waited
    const fault = await findFault(deps, block, { truth: truth.lines, from })
    if (fault && !stands(claims, fault)) return undefined
    if (fault) {
      left.set(block, { isUndecided: false, from })
      return toWrong(deps, block, { truth, fault, createdBlockOf })
    }
    left.delete(block)
    claims.drop((each) => each === block)
    return undefined
  }

  /** Where the next span begins: before what is new, if all of it fits; undefined when there is nothing to read. */
  const findStart = (unread: number, target: number): number | undefined => {
    if (settled < target && target - settled <= span) return settled + 1
    if (unread <= target) return unread
    return settled < (blockOf(againMs) ?? settled) ? settled + 1 : undefined
  }

  /** What a node has more than the index is a doubt. That one has less, and no receipts to show for it, is none: nodes forget. */
  const passOver = (from: number, blocks: readonly number[], by: number) => {
    for (const block of blocks) if (!left.has(block)) left.set(block, { isUndecided: true, from: block, by })
    passedOver = Math.min(passedOver, from)
    undecided = 0
  }

  const readNext = async (asked: Asked, from: number, target: number): Promise<WrongBlock | undefined> => {
    const to = Math.min(target, from + span - 1)
    const [since, unread] = [rewinds, next]
    const found = await compareSpan({ ...deps, claims }, asked, { fromBlock: from, toBlock: to })
    if (found === 'elsewhere') return undefined
    if (since === rewinds) for (const [block, waits] of found.left) left.set(block, waits)
    if (found.wrong) return found.wrong
    if (found.lied) deps.distrust?.(asked.place)
    if (left.size > waitingMax || next !== unread || since !== rewinds) return undefined
    undecided = found.complete ? 0 : undecided + 1
    // The node takes back what it had more.
    for (const [block, { by }] of left)
      if (by === asked.place && block >= from && block <= to && !found.differing.has(block)) left.delete(block)
    // What receipts did not decide about is read again, of the next node; after all of them it waits, and what follows is read.
    if (!found.complete && undecided <= nodes.length) return undefined
    if (!found.complete) passOver(from, found.undecided, asked.place)
    await keep({ fromBlock: from, toBlock: to })
    dueAtMs = to < target ? 0 : nowMs() + everyMs
    const fitting = found.lines === 0 ? span * 2 : Math.floor((span * eventsWanted) / found.lines)
    span = Math.max(1, Math.min(spanMax, span * 2, fitting))
    if (found.lied) goBack(Math.min(to, blockOf(windowMs) ?? to))
    return undefined
  }

  /** Rows that are no longer kept are not missing: what is before them is passed over. */
  const passOld = async () => {
    const first = await findFirstKept(store.read)
    if (next !== undefined && next < first) next = first
    settled = Math.max(settled, first - 1)
    for (const block of left.keys()) if (block < first) left.delete(block)
    return next
  }

  return {
    async step({ end, createdBlockOf }) {
      await load()
      const unread = (await passOld()) ?? deps.startBlock
      mark(end)
      const target = blockOf(ageMs)
      const start = nowMs() >= dueAtMs && target !== undefined ? findStart(unread, target) : undefined
      // Its own turn: a look is not always a reading, and with the looks' every sixth one would be of the same node.
      if (start !== undefined) turn += 1
      const place = turn % nodes.length
      try {
        const wrong = await judgeLeft(end, createdBlockOf)
        if (wrong || start === undefined || target === undefined) return wrong
        return await readNext({ place, createdBlockOf }, start, target)
      } catch (error) {
        const { code } = failureOfNode(error)
        if (code === 'rpc-range-too-wide') spanMax = span = Math.max(1, Math.floor(span / 2))
        if (code === 'rpc-invalid') deps.distrust?.(place)
        return undefined
      }
    },
    leave: (block) => void left.set(block, { isUndecided: false, from: block }),
    doubt(block) {
      if (left.size < waitingMax && !left.has(block)) left.set(block, { isUndecided: true, from: block })
    },
    waiting() {
      const block = left.size > 0 ? Math.min(...left.keys()) : undefined
      return block === undefined ? undefined : { block, isUndecided: left.get(block)?.isUndecided ?? false }
    },
    caught: (block) => goBack(Math.min(block - 1, blockOf(windowMs) ?? block - 1)),
    rewound(to) {
      rewinds += 1
      marks = marks.map(({ atMs, block }) => ({ atMs, block: Math.min(block, to) }))
      for (const block of left.keys()) if (block > to) left.delete(block)
      claims.drop((block) => block > to)
      goBack(to)
    },
  }
}

type Asked = { readonly place: number; readonly createdBlockOf: CreatedBlockOf }
type Span = { readonly fromBlock: number; readonly toBlock: number }

type Compared = {
  readonly wrong: WrongBlock | undefined
  /** Blocks that are wrong in the index and may not be repaired yet. */
  readonly left: ReadonlyMap<number, Left>
  /** Whether the node's answer was another one than the receipts. */
  readonly lied: boolean
  /** Blocks about which nothing decided, though the node has more of them than the index, or receipts contradict each other. */
  readonly undecided: readonly number[]
  /** Blocks of which the node has something else than the index. */
  readonly differing: ReadonlySet<number>
  /** Whether every difference was decided. */
  readonly complete: boolean
  readonly lines: number
}

async function compareSpan(
  deps: SecondReadingDeps & { readonly claims: TimeClaims },
  { place, createdBlockOf }: Asked,
  span: Span,
): Promise<Compared | 'elsewhere'> {
  const { nodes, store } = deps
  const node = nodes[place] as Chain
  // They travel together: a node that has the last block answers for all of them.
  const rows = await listLines(store.read, span)
  const wanted = { ...span, createdBlockOf, known: timesOf(rows) }
  const [header, theirs] = await Promise.all([node.readHeader(span.toBlock), readLines(deps, node, wanted)])
  const ref = await findBlock(store.read, span.toBlock)
  if (!header || (ref && ref.hash !== header.hash)) return 'elsewhere'
  const isRetimed = ref && ref.timestampSeconds !== header.timestampSeconds
  const differing = [...new Set([...listDifferingBlocks(rows, theirs), ...(isRetimed ? [span.toBlock] : [])])]
  const left = new Map<number, Left>()
  const undecided = differing.slice(judgedMax).filter((block) => hasMore(theirs, rows, block))
  const found = { left, undecided, differing: new Set(differing), lines: rows.size }
  let lied = false
  let complete = differing.length <= judgedMax
  for (const block of differing.slice(0, judgedMax)) {
    const truth = await judgeBlock(deps, block, createdBlockOf)
    if (!truth || truth === 'tied') {
      complete = false
      if (truth === 'tied' || hasMore(theirs, rows, block)) undecided.push(block)
      continue
    }
    if (!isSameLines(linesOf(theirs, block), truth.lines)) lied = true
    const fault = await findFault(deps, block, { truth: truth.lines, from: span.fromBlock })
    if (!fault) continue
    const mayRepair = stands(deps.claims, fault) && deps.mayRepair(fault.block)
    const wrong = mayRepair ? await toWrong(deps, block, { truth, fault, createdBlockOf }) : undefined
    if (wrong) return { ...found, wrong, lied, complete }
    left.set(fault.seenAt, { isUndecided: false, from: span.fromBlock })
  }
  return { ...found, wrong: undefined, lied, complete }
}

/** Whether a node has something of a block that the index lacks. */
function hasMore(theirs: Lines, rows: Lines, block: number): boolean {
  const known = withoutTimes(linesOf(rows, block))
  return [...withoutTimes(linesOf(theirs, block)).keys()].some((text) => !known.has(text))
}

/** `known`: times of blocks that the index has, for which no header is read when the node says the same. */
type Wanted = Span & { readonly createdBlockOf: CreatedBlockOf; readonly known?: ReadonlyMap<number, number> }

async function readLines(deps: SecondReadingDeps, node: Chain, wanted: Wanted): Promise<Lines> {
  const { fromBlock, toBlock, createdBlockOf, known = new Map() } = wanted
  const filter = { fromBlock: toHex(fromBlock), toBlock: toHex(toBlock), topics: [deps.topics] }
  const ask = async (named: { readonly address?: readonly Address[] }) => {
    const answer = await node.forward('eth_getLogs', [{ ...filter, ...named }])
    if (answer === null) throw new Failure('rpc-unavailable', `The node does not have block ${toBlock}`, { retryable: true })
    if (!Array.isArray(answer)) throw invalid('The node returned no list of logs', { fromBlock, toBlock })
    return answer.map(parseLog)
  }
  const logs = await ask({}).catch(async (error: unknown) => {
    if (failureOfNode(error).detail['refusal'] !== 'address-required') throw error
    // Of a pool whose creation the index lacks, the creation shows: its block is read again, and what follows with it.
    const named = toSlices([deps.factory, ...(await listPoolAddresses(deps.store.read))])
    return (await Promise.all(named.map((address) => ask({ address })))).flat()
  })
  const sorted = logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  const isOurs = ({ address, blockNumber }: ParsedLog) =>
    known.has(blockNumber) || createdBlockOf(address) !== undefined || address === deps.factory
  const times = await readSpanTimes(node, sorted.filter(isOurs), known, deps.nowMs())
  const timed = sorted.map((log) => ({ ...log, timestampSeconds: times.get(log.blockNumber) ?? 0 }))
  return toLines(deps, timed, createdBlockOf)
}

/**
 * What is wrong with the index: from `block` on, where it is only a time; `seenAt` is the block that shows it. `claim`: the time by the nodes.
 */
type Fault = { readonly block: number; readonly seenAt: number; readonly claim?: string }

type Claimed = { readonly truth: Lines /** Where the span begins that the block was read in. */; readonly from: number }

/** Whether the index has the block otherwise, now: it may have been taken back since its lines were read. */
async function findFault(
  { nodes, store: { read } }: SecondReadingDeps,
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

function stands(claims: TimeClaims, { block, claim }: Fault): boolean {
  return claim === undefined || claims.stands(block, claim)
}

type Judged = { readonly truth: Truth; readonly fault: Fault; readonly createdBlockOf: CreatedBlockOf }

async function toWrong(deps: SecondReadingDeps, block: number, { truth, fault, createdBlockOf }: Judged): Promise<WrongBlock> {
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
async function listLiars(deps: SecondReadingDeps, block: number, { truth, createdBlockOf }: Test): Promise<number[]> {
  const wanted = { fromBlock: block, toBlock: block, createdBlockOf }
  const answers = await Promise.all(deps.nodes.map((node) => readLines(deps, node, wanted).catch(failureOfNode)))
  return answers.flatMap((lines, place) => (lines instanceof Failure || isSameLines(lines, truth) ? [] : [place]))
}
