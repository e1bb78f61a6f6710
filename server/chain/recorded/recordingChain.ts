import type { Address } from '@chainboard/core'
import type { BlockHash, Chain, ChainRange, HistoryRequest } from '../chain.ts'
import { noGenesis } from '../chainIdentity.ts'
import { isJoined, toAnchor } from '../history/pieces.ts'
import { rangeEnds } from '../rangeEnds.ts'
import type { Piece } from './pieceFile.ts'
import type { RecordingKey, Recordings } from './recordings.ts'

/** Logs and ranges that a piece has at least, but for the last one of a reading: many small files are slow. */
const pieceLogsMin = 2_000
const pieceRangesMin = 64

type Options = { readonly chainId: number; readonly factory: Address; readonly recordings: Recordings }

/**
 * The same chain, of which settled ranges are recorded once they are in the index, and given from there to an index that starts over.
 * Blocks are of the chain that the nodes have: the hash of the last block of each row of pieces is compared with theirs, and each range has to
 * continue the one before.
 */
export function toRecordingChain(chain: Chain, options: Options): Chain {
  const { chainId, factory, recordings } = options
  return {
    ...chain,
    readHistory: (request) =>
      // Of an order that begins at the newest block, and of few contracts, is read what is thrown away soon.
      request.order === 'up' && request.wanted !== undefined && request.contracts?.only !== true
        ? readRecorded(chain, { ...options, wanted: request.wanted }, request)
        : chain.readHistory(request),
    forgetAfter: (block) => recordings.dropAfter({ chainId, factory }, block),
  }
}

async function* readRecorded(
  chain: Chain,
  { chainId, factory, recordings, wanted }: Options & { readonly wanted: string },
  request: HistoryRequest,
): AsyncGenerator<ChainRange, void, undefined> {
  const [foundId, first] = [await chain.readChainId(), await chain.readHeader(0)]
  const key = { chainId, genesis: first?.hash ?? noGenesis, factory, topics: request.topics, wanted }
  // Nothing says then which chain it is.
  if (foundId !== chainId || !first) return yield* chain.readHistory(request)
  const recorder = createRecorder(key, recordings, request)
  let at: Place = { from: request.from, anchor: request.anchor }
  while (at.from <= request.to && !request.signal.aborted) {
    const end = yield* playPieces(chain, { key, recordings, request }, at)
    if (end.from > request.to || request.signal.aborted) break
    const next = recordings.list(key).find(({ from }) => from > end.from)
    const to = Math.min(request.to, (next?.from ?? Number.POSITIVE_INFINITY) - 1)
    at = end
    for await (const range of chain.readHistory({ ...request, from: end.from, to, anchor: end.anchor })) {
      at = toPlace(range)
      yield { ...range, taken: () => recorder.take(range) }
    }
    // It was ended.
    if (at.from <= to) return
  }
}

/** The block to read next, and the one before it, where that is known. */
type Place = { readonly from: number; readonly anchor: BlockHash | undefined }

function toPlace(range: ChainRange): Place {
  const [, last] = rangeEnds(range)
  return { from: last.number + 1, anchor: { number: last.number, hash: last.hash } }
}

type Playing = { readonly key: RecordingKey; readonly recordings: Recordings; readonly request: HistoryRequest }

/** Gives what is recorded from a block on, as far as it goes without a gap. @returns where it ends */
async function* playPieces(
  chain: Chain,
  { key, recordings, request }: Playing,
  start: Place,
): AsyncGenerator<ChainRange, Place, undefined> {
  let at = start
  for (const piece of await listOfChain(chain, { key, recordings, request }, start.from)) {
    if (piece.to < at.from) continue
    const ranges = (await recordings.read(key, piece))?.filter((range) => (range.headers[0]?.number ?? 0) >= at.from)
    const [first] = ranges ?? []
    // A reading began in the middle of one of its ranges, or it is damaged: nodes are asked.
    if (!ranges || first?.headers[0]?.number !== at.from) return at
    if (!isJoined(first, at.anchor)) {
      recordings.drop(key, piece)
      return at
    }
    for (const range of joinRanges(ranges, request)) {
      if (request.signal.aborted) return at
      at = toPlace(range)
      yield { ...range, distrust: () => recordings.drop(key, piece) }
    }
  }
  return at
}

/** Pieces that follow each other from a block on and are of the chain that the nodes have; those of another branch are removed. */
async function listOfChain(chain: Chain, { key, recordings, request }: Playing, from: number): Promise<Piece[]> {
  const row: Piece[] = []
  let next = from
  for (const piece of recordings.list(key)) {
    if (piece.to < next || piece.to > request.to) continue
    if (piece.from > next) break
    row.push(piece)
    next = piece.to + 1
  }
  // What is of the chain is below what is not: their hashes follow from those before.
  let [low, high] = [0, row.length]
  while (low < high) {
    const middle = low === 0 && high === row.length ? high - 1 : (low + high) >> 1
    const piece = row[middle]
    const header = piece && (await chain.readHeader(piece.to))
    // The node is behind, and says nothing of it.
    if (!header) return row.slice(0, low)
    if (header.hash === piece.hash) low = middle + 1
    else high = middle
  }
  for (const piece of row.splice(low)) recordings.drop(key, piece)
  return row
}

/** Ranges as they were recorded, or as one as far as they may come as one. */
function* joinRanges(ranges: readonly ChainRange[], { joinLogsMax = 0 }: HistoryRequest): Generator<ChainRange> {
  let joined: ChainRange | undefined
  for (const range of ranges) {
    const isMore = joined && joined.logs.length + range.logs.length <= joinLogsMax
    if (joined && !isMore) yield joined
    joined = joined && isMore ? { headers: [...joined.headers, ...range.headers], logs: [...joined.logs, ...range.logs] } : range
  }
  if (joined) yield joined
}

/** Collects ranges that are in the index until they are a piece. */
function createRecorder(key: RecordingKey, recordings: Recordings, { signal, to }: HistoryRequest) {
  let ranges: ChainRange[] = []
  let since = recordings.mark()
  const flush = () => {
    void recordings.put(key, ranges, since)
    ranges = []
    since = recordings.mark()
  }
  signal.addEventListener('abort', flush, { once: true })
  return {
    take: ({ headers, logs }: ChainRange) => {
      const last = ranges.at(-1)
      const range = { headers, logs }
      const isNext = !last || (isJoined(range, toAnchor(last, 'up')) && toPlace(last).from === headers[0]?.number)
      if (!isNext || since !== recordings.mark()) flush()
      ranges.push(range)
      const logCount = ranges.reduce((sum, each) => sum + each.logs.length, 0)
      const isLast = toPlace(range).from > to
      if (logCount >= pieceLogsMin || ranges.length >= pieceRangesMin || isLast || signal.aborted) flush()
    },
  }
}
