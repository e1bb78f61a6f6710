const firstBlocks = 400
/** Logs that one range should hold: bounds memory, a transaction of the store and the node's work. */
const logsWanted = 2_000
const growth = 2
/** For so many ranges no wider one is asked for, and for no more than they are wide: nodes change their limits, and many events are soon over. */
const toldRanges = { always: 500, once: 20 }

/** What a node says of a range that it refuses. `always`: it refuses every range of this width, not this one for what it holds. */
export type TooWide = { readonly blocks?: number | undefined; readonly always?: boolean | undefined }

/** How wide a range of one node may be. */
export type RangeWidth = {
  /** Blocks of the next range. */
  blocks(): number
  /** A range of so many blocks came, with so many logs in it. */
  took(range: { readonly blocks: number; readonly logs: number }): void
  /** A range of so many blocks was refused as too wide. */
  refused(blocks: number, by: TooWide): void
  /** A range failed for a reason that is not known: half of it may do. */
  halve(): void
}

/** Learns the width from answers and refusals: ranges grow until they hold as many logs as one should, and a width that a node names is kept for a while. */
export function createRangeWidth(): RangeWidth {
  let span = firstBlocks
  let told: { readonly blocks: number; readonly ranges: number } | undefined
  return {
    blocks: () => span,
    took: ({ blocks, logs }) => {
      told = told && told.ranges > 1 ? { ...told, ranges: told.ranges - 1 } : undefined
      const fitting = logs === 0 ? Number.POSITIVE_INFINITY : Math.floor((blocks * logsWanted) / logs)
      const grown = Math.max(span, blocks * growth)
      span = Math.max(1, Math.min(grown, fitting, told?.blocks ?? Number.POSITIVE_INFINITY))
    },
    // Of several ranges under way each is refused by itself: what counts is how wide they were, not how many.
    refused: (blocks, { blocks: offered = blocks, always }) => {
      // Some nodes offer what they have just refused.
      const narrower = offered < blocks ? offered : Math.max(1, Math.floor(blocks / 2))
      span = Math.min(span, narrower)
      told = { blocks: span, ranges: Math.min(always ? toldRanges.always : toldRanges.once, span) }
    },
    halve: () => {
      span = Math.max(1, Math.floor(span / 2))
    },
  }
}
