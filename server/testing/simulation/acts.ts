// What may happen in a story besides the chain's growing. A story is its world and a list of these: dropping one leaves a story.

/** Faults of a node that tells no lie: slow, away, refusing, behind. */
export const honestFaults = [
  'latency',
  'hang',
  'http500',
  'reset',
  'rateLimit',
  'rpcError',
  'nullBlocks',
  'nullLogs',
  'rangeLimit',
  'noBlockTimestamp',
  'unsorted',
  'behind',
  'frozen',
] as const

/** Answers that are wrong and can be seen to be wrong in themselves. */
export const malformedFaults = [
  'doubleLog',
  'badHex',
  'missingField',
  'otherBlockNumber',
  'otherBlockHash',
  'otherHeaderHash',
] as const

/** A node on another chain or another branch, or that has forgotten the first block: what it says is whole, but not of the truth. */
export const foreignFaults = ['otherChain', 'farBehind', 'falseReorg', 'ownBranch', 'nullGenesis'] as const

/**
 * Logs left out or made up, blocks dated wrongly, by `depth` seconds, or tokens with `depth` decimals less: the answer looks like a true
 * one.
 */
export const silentFaults = [
  'omitOne',
  'omitAll',
  'omitLast',
  'omitSome',
  'removed',
  'emptyThenFull',
  'forgedLog',
  'balancer',
  'splitBatch',
  'omitAway',
  'times',
  'tokens',
] as const

/** Answers about blocks below the newest that are the same in logs and receipts, and not those of the chain. */
export const forgetfulFaults = ['pruned', 'halfReceipts', 'madeUpAlike'] as const

export type NodeFault =
  | (typeof honestFaults)[number]
  | (typeof malformedFaults)[number]
  | (typeof foreignFaults)[number]
  | (typeof silentFaults)[number]
  | (typeof forgetfulFaults)[number]

/**
 * Faults of the database. `full` rolls the whole transaction back as SQLite may; `fullKept` fails the statement only; `trulyFull`
 * is SQLite's own refusal of a page; `commitLost` commits and then says that it failed.
 */
export const storeFaults = [
  'full',
  'fullKept',
  'trulyFull',
  'ioError',
  'busy',
  'readOnly',
  'away',
  'commitLost',
  'readError',
] as const
export type StoreFault = (typeof storeFaults)[number]

/** Times are milliseconds since the story's start. `id` names the streams of its draws, so that other acts do not move them. */
export type Act = { readonly id: number; readonly atMs: number } & (
  | {
      readonly kind: 'node'
      readonly fault: NodeFault
      /** One node by its place, or all of them. */
      readonly node: number | 'all'
      readonly forMs: number
      /** Share of the calls that it hits. */
      readonly rate: number
      readonly depth: number
    }
  /** The store fails from its `skip`-th operation on: once, or everything for `forMs`. */
  | { readonly kind: 'store'; readonly fault: StoreFault; readonly skip: number; readonly forMs: number }
  /** The process ends without a word, before or after its `skip`-th operation there; `commit` counts commits only. */
  | {
      readonly kind: 'crash'
      readonly where: 'store' | 'commit' | 'node'
      readonly skip: number
      readonly side: 'before' | 'after'
      readonly downMs: number
    }
  /** The process is stopped in order and started again. */
  | { readonly kind: 'restart'; readonly downMs: number }
  | { readonly kind: 'reorg'; readonly depth: number; readonly extra: number }
  | { readonly kind: 'stall'; readonly forMs: number }
  | { readonly kind: 'burst'; readonly blocks: number }
)

/** Everything that a story is drawn from the seed for, once and for all: the same one replays the same story. */
export type Story = {
  readonly seed: string
  readonly nodes: number
  readonly blockMs: number
  readonly pollMs: number
  readonly confirmations: number
  readonly spanMax: number
  /** Blocks before the server starts, and the seconds between them. */
  readonly history: number
  /** How long after the start an hour begins, and with it a day. */
  readonly hourAtMs: number
  readonly historySeconds: number
  readonly activity: number
  /** Whether there are soon many pools, most of which trade seldom. */
  readonly quiet: boolean
  readonly latencyMs: number
  /** Users who change their lists and ask the price API, every so many milliseconds. */
  readonly clients: number
  readonly clientMs: number
  /** How long things happen, before the faults end. */
  readonly forMs: number
  readonly acts: readonly Act[]
}
