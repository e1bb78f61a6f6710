import { type Address, Failure } from '@chainboard/core'
import type { BlockHash, ChainRange, HistoryRequest, WantedContracts } from '../chain.ts'
import type { HistoryNode } from './historyNode.ts'
import { cutPiece, isJoined, newPiece, type Piece, type Reader, toAnchor } from './pieces.ts'

/** Ranges under way and read ahead, at most. */
const aheadMax = 64
/** Logs of ranges that wait for their turn; with more of them only the next range in order is read. */
const logsHeldMax = 12_000

export type HistoryClock = { nowMs(): number; pause(ms: number, signal: AbortSignal): Promise<unknown> }

/**
 * Reads settled blocks of several nodes at once. Each takes the next range that nobody reads, in its own width and as many at a time as it
 * bears. What a node fails, or is late with while it is waited for, another one reads. Ranges are given in order, and each has to continue the one before.
 * @throws Failure when no node gets on; the one of the node that may be asked again first
 */
export async function* readHistory(
  nodes: readonly HistoryNode[],
  request: HistoryRequest,
  clock: HistoryClock,
): AsyncGenerator<ChainRange, void, undefined> {
  const reading = new Reading(nodes, request, clock)
  try {
    for (;;) {
      const range = await reading.next()
      if (!range) return
      yield range
    }
  } finally {
    reading.end()
  }
}

class Reading {
  readonly #nodes: readonly HistoryNode[]
  readonly #request: HistoryRequest
  readonly #clock: HistoryClock
  /** In order; the first is the next to be given. What is not begun yet is the last of them. */
  readonly #pieces: Piece[]
  /** What was made by a contract's factory, by the ranges read so far, and the last block of its range. */
  readonly #made: { readonly address: Address; readonly to: number }[] = []
  readonly #madeSet = new Set<Address>()
  #known: Promise<readonly Address[]> | undefined
  #anchor: BlockHash | undefined
  /** Of nodes that have failed since a range came. */
  readonly #failures = new Map<HistoryNode, Failure>()
  #fault: { readonly error: unknown } | undefined
  #isOver = false
  #woken = Promise.withResolvers<void>()
  readonly #onAbort = () => this.end()

  constructor(nodes: readonly HistoryNode[], request: HistoryRequest, clock: HistoryClock) {
    const { from, to, anchor, signal } = request
    this.#nodes = nodes
    this.#request = request
    this.#clock = clock
    this.#anchor = anchor
    this.#pieces = from <= to ? [newPiece(from, to)] : []
    signal.addEventListener('abort', this.#onAbort)
    if (signal.aborted) this.end()
  }

  /** @returns undefined after the last range, and after the end */
  async next(): Promise<ChainRange | undefined> {
    for (;;) {
      if (this.#isOver) return undefined
      if (this.#fault) throw this.#fault.error
      const [first] = this.#pieces
      if (!first) return undefined
      const range = this.#takeJoined(first)
      this.#begin()
      if (range) return range
      if (!this.#isReading()) this.#insist(first)
      await this.#wait(first)
    }
  }

  /** @returns the next range in order, with those of the same node that are there behind it, as far as they may come as one */
  #takeJoined(first: Piece): ChainRange | undefined {
    const { joinLogsMax } = this.#request
    const by = first.answer?.by
    let joined = this.#take(first)
    while (joined && joinLogsMax !== undefined) {
      const [next] = this.#pieces
      const more = next?.answer
      if (!more || more.by !== by || joined.logs.length + more.range.logs.length > joinLogsMax) break
      const range = this.#take(next)
      if (!range) break
      joined = { ...joined, headers: [...joined.headers, ...range.headers], logs: [...joined.logs, ...range.logs] }
    }
    return joined
  }

  /** Ends what is under way. */
  end(): void {
    this.#isOver = true
    this.#request.signal.removeEventListener('abort', this.#onAbort)
    for (const piece of this.#pieces) this.#detachAll(piece)
    this.#wake()
  }

  /** @returns the next range in order, when it is complete and continues the one before or no node has a better one */
  #take(first: Piece): ChainRange | undefined {
    const { answer, strangers } = first
    if (!answer || first.readers.size > 0 || this.#lacking(first).length > 0) return undefined
    const { by, range } = answer
    const joins = isJoined(range, this.#anchor)
    if (!joins && this.#nodes.some((node) => node !== by && !strangers.has(node) && this.#isUp(node))) {
      strangers.add(by)
      first.answer = undefined
      return undefined
    }
    if (joins) for (const stranger of strangers) this.#disown(stranger)
    this.#pieces.shift()
    this.#anchor = toAnchor(range, this.#request.order)
    return this.#nodes.length > 1 ? { ...range, distrust: () => by.distrust() } : range
  }

  /** Lets every node begin what it has room for. */
  #begin(): void {
    if (this.#isOver || this.#fault) return
    for (const piece of this.#pieces) this.#dropStale(piece)
    const beginOne = (node: HistoryNode) => {
      if (!this.#isUp(node) || !(node.lane.hasRoom() || !this.#isReading())) return false
      const piece = this.#find(node)
      if (piece) this.#read(node, piece)
      return piece !== undefined
    }
    // One each in turn, so that the next ranges in order are not all of one node.
    while (this.#nodes.filter(beginOne).length > 0);
  }

  /** What an answer lacks is read of the node that gave it; where that one is away or late, all of it is read again. */
  #dropStale(piece: Piece): void {
    const { answer, readers } = piece
    if (!answer || this.#lacking(piece).length === 0) return
    const isWaited = readers.size > 0 ? !this.#isFree(piece, piece === this.#pieces[0]) : this.#isUp(answer.by)
    if (isWaited) return
    for (const node of readers.keys()) node.lane.outrun()
    this.#detachAll(piece)
    piece.answer = undefined
  }

  /** The first piece that the node may read now. */
  #find(node: HistoryNode): Piece | undefined {
    const held = this.#pieces.reduce((sum, { answer }) => sum + (answer?.range.logs.length ?? 0), 0)
    const busy = this.#pieces.filter(({ answer, readers }) => answer || readers.size > 0).length
    const isFull = busy >= aheadMax || held >= logsHeldMax
    return this.#pieces.find((piece, i) => {
      const { answer, readers } = piece
      if (readers.has(node)) return false
      if (answer) return answer.by === node && readers.size === 0 && this.#lacking(piece).length > 0
      if (readers.size === 0 && i > 0 && isFull) return false
      return this.#isFree(piece, i === 0) && !this.#isAvoided(piece, node)
    })
  }

  /** Whether nobody reads it, or only nodes that are silent; for the next one in order also: that are late with it. */
  #isFree({ readers }: Piece, isFirst: boolean): boolean {
    const now = this.#clock.nowMs()
    return [...readers].every(([{ lane }, { begunAtMs }]) => lane.isSilent() || (isFirst && lane.lateAtMs(begunAtMs) <= now))
  }

  /** One that failed it is asked again only when there is no fresh one, and one whose answer did not fit only when all others are down. */
  #isAvoided({ avoid, strangers }: Piece, node: HistoryNode): boolean {
    const rank = (each: HistoryNode) => (strangers.has(each) ? 2 : avoid.has(each) ? 1 : 0)
    return this.#nodes.some((each) => rank(each) < rank(node) && this.#isUp(each))
  }

  #read(node: HistoryNode, piece: Piece): void {
    const { answer } = piece
    const { topics, spanMax, order } = this.#request
    if (!answer) this.#cut(piece, Math.min(spanMax, node.lane.width.blocks()), order)
    const { from, to } = piece
    const begunAtMs = this.#clock.nowMs()
    const reader: Reader = { begunAtMs, calls: new AbortController() }
    const { signal } = reader.calls
    piece.readers.set(node, reader)
    node.lane.begin()
    const madeCount = this.#made.length
    const contracts = this.#contractsAt(madeCount)
    const work = answer
      ? node
          .readAlso(answer.range, { from, to, topics, addresses: this.#lacking(piece) }, signal)
          .then((range) => ({ range, named: true }))
      : node.read({ from, to, topics, everyHeader: false, ...(contracts ? { contracts } : {}) }, signal)
    const ended = work.then(
      ({ range, named }) => {
        if (piece.readers.get(node) !== reader) return
        node.lane.answered({ blocks: to - from + 1, logs: range.logs.length })
        node.count('answered')
        this.#outrun(piece, reader)
        this.#detachAll(piece)
        piece.answer = { range, by: node, madeCount: named ? madeCount : undefined }
        this.#failures.clear()
        this.#learnMade(piece)
        this.#settle()
      },
      (error: unknown) => {
        if (piece.readers.get(node) !== reader) return
        this.#detach(piece, node)
        piece.answer = undefined
        this.#fail(node, piece, error)
        this.#settle()
      },
    )
    ended.catch((error: unknown) => {
      this.#fault = { error }
      this.#wake()
    })
  }

  #settle(): void {
    this.#begin()
    this.#wake()
  }

  #fail(node: HistoryNode, piece: Piece, error: unknown): void {
    if (!(error instanceof Failure) || !error.code.startsWith('rpc-')) {
      this.#fault = { error }
      return
    }
    node.count('failed')
    const blocks = piece.to - piece.from + 1
    if (error.code === 'rpc-range-too-wide' && blocks > 1) {
      const { blocks: offered, refusal } = error.detail
      node.lane.width.refused(blocks, {
        blocks: typeof offered === 'number' ? offered : undefined,
        always: refusal === 'range-too-wide',
      })
      return
    }
    node.lane.failed(error)
    // What cannot be true comes again: the others are asked instead.
    if (error.code === 'rpc-invalid' && this.#nodes.length > 1) node.distrust()
    piece.avoid.add(node)
    this.#failures.set(node, error)
  }

  /** Those that were asked earlier had their time. A late starter that lost did nothing wrong. */
  #outrun({ readers }: Piece, winner: Reader): void {
    for (const [node, { begunAtMs }] of readers) {
      if (begunAtMs >= winner.begunAtMs) continue
      node.lane.outrun()
      node.count('outrun')
    }
  }

  /** Its other answers are of the same kind as the one that turned out not to fit. */
  #disown(node: HistoryNode): void {
    node.distrust()
    for (const piece of this.#pieces) {
      if (piece.answer?.by === node) piece.answer = undefined
      this.#detach(piece, node)
    }
  }

  /** No node may be asked now: the caller waits, or one is asked all the same when none has been. */
  #insist(first: Piece): void {
    const rested = this.#nodes.toSorted((a, b) => a.lane.restUntilMs() - b.lane.restUntilMs())
    const failed = rested.find((node) => this.#failures.has(node))
    if (failed) throw this.#failures.get(failed)
    const [soonest] = rested
    if (soonest) this.#read(soonest, first)
  }

  /** Until something has happened, a range is late or a node has rested. */
  async #wait(first: Piece): Promise<void> {
    const now = this.#clock.nowMs()
    const rests = this.#nodes.map(({ lane }) => lane.restUntilMs())
    const lates = [...first.readers].map(([{ lane }, { begunAtMs }]) => lane.lateAtMs(begunAtMs))
    // Where there is one node, its own limit of time ends a call.
    const times = this.#nodes.length > 1 ? [...rests, ...lates] : []
    const nextMs = Math.min(...times.filter((atMs) => atMs > now))
    this.#woken = Promise.withResolvers()
    if (nextMs === Number.POSITIVE_INFINITY) return this.#woken.promise
    const over = new AbortController()
    await Promise.race([this.#woken.promise, this.#clock.pause(nextMs - now, over.signal)])
    over.abort()
  }

  #wake(): void {
    this.#woken.resolve()
  }

  #cut(piece: Piece, blocks: number, order: 'up' | 'down'): void {
    const rest = cutPiece(piece, blocks, order)
    if (!rest) return
    // Who reads all of it reads something else.
    this.#detachAll(piece)
    this.#pieces.splice(this.#pieces.indexOf(piece) + 1, 0, rest)
  }

  #detachAll(piece: Piece): void {
    for (const node of piece.readers.keys()) this.#detach(piece, node)
  }

  #detach({ readers }: Piece, node: HistoryNode): void {
    const reader = readers.get(node)
    if (!reader) return
    readers.delete(node)
    node.lane.end()
    reader.calls.abort()
  }

  #isReading(): boolean {
    return this.#pieces.some(({ readers }) => readers.size > 0)
  }

  #isUp({ lane }: HistoryNode): boolean {
    return lane.restUntilMs() <= this.#clock.nowMs()
  }

  /** What was made in earlier ranges and is not in this one, as nobody knew of it when the range was asked for. */
  #lacking({ answer, from }: Piece): Address[] {
    if (answer?.madeCount === undefined) return []
    return this.#made.slice(answer.madeCount).flatMap(({ address, to }) => (to < from ? address : []))
  }

  #learnMade({ answer, to }: Piece): void {
    const { contracts } = this.#request
    for (const address of contracts?.listCreated(answer?.range.logs ?? []) ?? []) {
      if (this.#madeSet.has(address)) continue
      this.#madeSet.add(address)
      this.#made.push({ address, to })
    }
  }

  #contractsAt(madeCount: number): WantedContracts | undefined {
    const { contracts } = this.#request
    return (
      contracts && {
        ...contracts,
        known: async () => {
          this.#known ??= contracts.known()
          return [...(await this.#known), ...this.#made.slice(0, madeCount).map(({ address }) => address)]
        },
      }
    )
  }
}
