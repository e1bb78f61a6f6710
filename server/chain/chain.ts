import type { Address, Hex } from '@chainboard/core'

/** A block's header, the part that links it to its parent. */
export type Header = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Unix seconds. */
  readonly timestampSeconds: number
  /** 2,048 bits that the addresses and topics of the block's logs set; undefined where the node does not give them. */
  readonly logsBloom?: Hex
  /** It turned out not to be true: asks its node last for a while. Given where there are several nodes. */
  readonly distrust?: () => void
}

/** One event as the node gives it, in the order of the chain. */
export type ChainLog = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly logIndex: number
  readonly txHash: Hex
  /** Unix seconds of its block. */
  readonly timestampSeconds: number
}

/**
 * Blocks `from` to `to` as one node saw them. `headers` ascend: the first and the last block, and all between them when
 * asked for. Logs are in the order of the chain.
 */
export type ChainRange = {
  readonly headers: readonly Header[]
  readonly logs: readonly ChainLog[]
  /** The range turned out to leave something out: asks its node last for a while. Absent where there is one node. */
  readonly distrust?: () => void
  /** The range is in the index: it may be recorded. Absent where nothing is. */
  readonly taken?: () => void
}

export type RangeRequest = {
  readonly from: number
  readonly to: number
  /** First topics to look for; any of them. */
  readonly topics: readonly Hex[]
  /** The contract whose logs are looked for; absent: any. */
  readonly address?: Address
  /** Whose logs are of use, for a node that reads those of named contracts only; absent: such a node refuses. */
  readonly contracts?: WantedContracts
  /** Whether every header of the range is wanted, so that its links can be checked. */
  readonly everyHeader: boolean
}

/** A block that shows whether ranges are of one chain. */
export type BlockHash = { readonly number: number; readonly hash: string }

export type HistoryRequest = {
  readonly from: number
  /** A block that does not change any more: the links between all blocks are not looked at, only those between ranges. */
  readonly to: number
  /** First topics to look for; any of them. */
  readonly topics: readonly Hex[]
  /** Whose logs are of use. `known` is asked once; for `down` it has to have what was made before `to`. Absent: a node that wants contracts named refuses. */
  readonly contracts?: WantedContracts
  /** Names the contracts: two readings of one name want the same logs. Absent: what is read is not recorded. */
  readonly wanted?: string
  /** `up`: the oldest range comes first. `down`: the newest. */
  readonly order: 'up' | 'down'
  /** Widest range ever asked for. */
  readonly spanMax: number
  /** For `up`: ranges of one node that were read already come as one of up to so many logs. Absent: each comes by itself. */
  readonly joinLogsMax?: number
  /** The block before the first range or its first one; for `down` the last block. Absent: what the first node gives is taken. */
  readonly anchor?: BlockHash | undefined
  /** Ends the reading: nothing comes any more, and no call is left behind. */
  readonly signal: AbortSignal
}

/** A factory and what it makes. */
export type WantedContracts = {
  readonly factory: Address
  /** Logs of others are not read, of a node either that would give those of all contracts; absent: they may come, too. */
  readonly only?: true
  /** What it made before the range. */
  known(): Promise<readonly Address[]>
  /** What it made, by these logs of it. */
  listCreated(logs: readonly Omit<ChainLog, 'timestampSeconds'>[]): readonly Address[]
}

/** What a token's contract says. `decimals` is undefined when it does not answer or answers nonsense. */
export type TokenFacts = {
  readonly address: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number | undefined
  /** Smallest units; 0 when it does not answer. */
  readonly totalSupplyRaw: bigint
}

export type CheckAnswer = (answer: unknown) => void | Promise<void>

/**
 * PORT to the node. Every call may fail with a `Failure`: `rpc-range-too-wide`, `rpc-rate-limited` (its `detail.retryAfterMs`
 * when the node said so), `rpc-unavailable`, `rpc-refused` when the node understood and said no, or `rpc-invalid` when its answer cannot be true.
 */
export type Chain = {
  /** @param wanted a node on another chain comes last for a while, where there are several */
  readChainId(wanted?: number): Promise<number>
  readHead(): Promise<Header>
  /** `undefined` for a block the node does not have. */
  readHeader(number: number): Promise<Header | undefined>
  /** The block as each node has it that answers: nodes that do not answer are left out. */
  readHeaderOfEach(number: number): Promise<(Header | undefined)[]>
  readRange(request: RangeRequest): Promise<ChainRange>
  /**
   * Settled blocks as ranges that follow one another without a gap, their first and last headers in them. Every node reads at its own pace and width, some ranges ahead.
   * A range that does not continue the one before comes only when no other node has a better one.
   * It fails when no node gets on.
   */
  readHistory(request: HistoryRequest): AsyncIterable<ChainRange>
  /**
   * @param since a block that shows the tokens: they are asked there or at a later one, and a node that does not have it is one without
   * an answer, `rpc-unavailable`. Absent: at the newest block of whatever node answers, which may be before a new token.
   */
  readTokens(addresses: readonly Address[], since?: BlockHash): Promise<TokenFacts[]>
  /** What was recorded of blocks after this one turned out to be wrong: it is removed. Absent where nothing is recorded. */
  forgetAfter?(block: number): void
  /**
   * Asks a node last for a while, by its place among the nodes: it left something out. Absent where there is one node.
   */
  distrust?(place: number): void
  /**
   * Asks a node last for a minute that is behind, or says one thing and then another. Absent where there is one node.
   * @param place absent: the one that is asked first now
   */
  putLast?(place?: number): void
  /**
   * Hands one call on to the node as it is; for callers who have checked that the method may be called.
   * @param check throws what is wrong with the answer, which then counts as a failure of the node that gave it
   */
  forward(method: string, params: unknown, check?: CheckAnswer): Promise<unknown>
}
