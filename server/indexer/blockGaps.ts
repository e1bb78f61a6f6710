/** Gaps that are remembered. */
const gapsMax = 256

export type SeenBlock = { readonly number: number; readonly atSeconds: number }

export type BlockGaps = {
  /** @returns the longest gap between two blocks, of the last 256 seen, in seconds; undefined before the second block */
  see(block: SeenBlock): number | undefined
}

/** Learns how long a chain takes for a block. Blocks that were not seen share the time between those that were. */
export function createBlockGaps(): BlockGaps {
  const gaps: number[] = []
  let last: SeenBlock | undefined
  return {
    see: (block) => {
      if (last && block.number > last.number) gaps.push((block.atSeconds - last.atSeconds) / (block.number - last.number))
      if (!last || block.number !== last.number) last = block
      if (gaps.length > gapsMax) gaps.shift()
      return gaps.length === 0 ? undefined : Math.max(...gaps)
    },
  }
}
