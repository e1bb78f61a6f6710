import type { Header } from './chain.ts'

/**
 * What was learned of a node's chain. `seconds`: the shortest gap between two blocks; undefined until it was looked at, or when it changed.
 * `learning`: ends when a range has looked; others that want to know wait for it. `readAlone`: headers that were read for not knowing it.
 */
export type BlockPeriod = { seconds: number | undefined; learning?: Promise<unknown> | undefined; readAlone?: number }

/** Few blocks are read one by one, until as many were read as would have shown the period. */
const readAllMax = 32
/** Blocks in a row from which the shortest gap is learned. */
const sampleBlocks = 64

type Time = { readonly number: number; readonly timestampSeconds: number }
type Span = { readonly first: Time; readonly last: Time; readonly wanted: readonly number[] }

/**
 * The times of blocks of a range, with few headers read. No gap between two blocks is shorter than the chain's period. So where a span takes just
 * its blocks times the period, every gap in it is the period, and the times between follow. Other spans are cut at a wanted block until they do,
 * or until each wanted block was read.
 * @param wanted ascending, between the edges
 * @param edges the first and the last block of the range
 * @returns unix seconds by block, of each wanted one
 */
export async function readTimes(
  wanted: readonly number[],
  edges: readonly [Time, Time],
  { period, read }: { readonly period: BlockPeriod; readonly read: (block: number) => Promise<Header> },
): Promise<ReadonlyMap<number, number>> {
  const times = new Map<number, number>()
  const readAll = async (blocks: readonly number[]) => {
    const headers = await Promise.all(blocks.map(read))
    for (const { number, timestampSeconds } of headers) times.set(number, timestampSeconds)
    return headers
  }
  while (wanted.length > 0 && period.seconds === undefined && period.learning) await period.learning
  if (wanted.length <= readAllMax && period.seconds === undefined && (period.readAlone ?? 0) < sampleBlocks) {
    period.readAlone = (period.readAlone ?? 0) + wanted.length
    await readAll(wanted)
    return times
  }
  const [first, last] = edges
  let { seconds } = period
  if (seconds === undefined || last.timestampSeconds - first.timestampSeconds < seconds * (last.number - first.number)) {
    const learned = learnPeriod(first, last, readAll)
    const learning = learned.then(
      () => undefined,
      () => undefined,
    )
    period.learning = learning
    try {
      seconds = await learned
      period.seconds = seconds
    } finally {
      if (period.learning === learning) period.learning = undefined
    }
  }
  let reads = 0
  let spans: Span[] = [{ first, last, wanted: wanted.filter((block) => !times.has(block)) }]
  while (spans.length > 0) {
    const open = spans.filter((span) => !fill(span, seconds, times))
    const middles = await readAll(open.flatMap(({ wanted: blocks }) => blocks[blocks.length >> 1] ?? []))
    reads += middles.length
    spans = open.flatMap((span, i) => cut(span, middles[i]))
  }
  // A chain of another pace than it had: the next range learns it.
  if (reads > sampleBlocks) period.seconds = undefined
  return times
}

/** The shortest gap of some blocks in a row at the beginning of the range. */
async function learnPeriod(first: Time, last: Time, readAll: (blocks: readonly number[]) => Promise<Header[]>): Promise<number> {
  const count = Math.min(sampleBlocks, last.number - first.number)
  const headers = await readAll(Array.from({ length: count }, (_, i) => first.number + i + 1))
  const gaps = headers.map(({ timestampSeconds }, i) => timestampSeconds - (headers[i - 1] ?? first).timestampSeconds)
  return Math.min(...gaps)
}

/** Sets the times of a span whose gaps all are the period. @returns whether it could, or had none to set */
function fill({ first, last, wanted }: Span, seconds: number, times: Map<number, number>): boolean {
  if (wanted.length === 0) return true
  if (last.timestampSeconds - first.timestampSeconds !== seconds * (last.number - first.number)) return false
  for (const block of wanted) times.set(block, first.timestampSeconds + seconds * (block - first.number))
  return true
}

/** Without a middle nothing of the span is open. */
function cut({ first, last, wanted }: Span, middle: Time | undefined): Span[] {
  if (!middle) return []
  return [
    { first, last: middle, wanted: wanted.filter((block) => block < middle.number) },
    { first: middle, last, wanted: wanted.filter((block) => block > middle.number) },
  ]
}
