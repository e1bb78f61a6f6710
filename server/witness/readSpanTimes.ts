import type { Chain } from '../chain/chain.ts'
import type { ParsedLog } from '../chain/parseAnswer.ts'

/** Headers that are read for their times in one span. */
const headersMax = 32
/** So many of them are of blocks whose logs state the time that the index has: a node alone may state it wrongly both times. */
const sampledBlocks = 8

/**
 * The times of the blocks of these logs by their node. A time that a log states and that the index has, too, is taken as it is, but for a
 * sample; of other blocks the header is read, as some nodes state none or a wrong one. Of more blocks than a few the index's time is taken:
 * no difference.
 * @param known times by block in the index
 * @param atMs the moment, which draws the sample: the node cannot foresee it
 */
export async function readSpanTimes(
  node: Pick<Chain, 'readHeader'>,
  logs: readonly ParsedLog[],
  known: ReadonlyMap<number, number>,
  atMs: number,
): Promise<ReadonlyMap<number, number>> {
  const stated = new Map(logs.map(({ blockNumber, timestampSeconds }) => [blockNumber, timestampSeconds] as const))
  const isAgreed = ([block, seconds]: readonly [number, number | undefined]) =>
    seconds !== undefined && seconds === known.get(block)
  const isSilent = ([block, seconds]: readonly [number, number | undefined]) => seconds === undefined && known.has(block)
  const open = [...stated].filter((each) => !isAgreed(each))
  const agreed = [...stated].filter(isAgreed)
  const step = Math.ceil(agreed.length / sampledBlocks)
  const sample = agreed.filter((_, i) => i % step === Math.floor(atMs) % step)
  const first = [...open.filter((each) => !isSilent(each)), ...sample, ...open.filter(isSilent)].slice(0, headersMax)
  const headers = await Promise.all(first.map(([block]) => node.readHeader(block)))
  const read = headers.flatMap((header) => (header ? [[header.number, header.timestampSeconds] as const] : []))
  return new Map([...[...stated].map(([block, seconds]) => [block, known.get(block) ?? seconds ?? 0] as const), ...read])
}
