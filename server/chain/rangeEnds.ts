import type { ChainRange, Header } from './chain.ts'

/** The headers of a range's first and last block. @throws RangeError when it has none: no reader gives such a range */
export function rangeEnds({ headers }: Pick<ChainRange, 'headers'>): readonly [Header, Header] {
  const [first, last] = [headers[0], headers.at(-1)]
  if (!first || !last) throw new RangeError('A range has no headers')
  return [first, last]
}
