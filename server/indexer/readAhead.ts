import type { BlockHash, Chain, ChainRange } from '../chain/chain.ts'
import { listPoolAddresses } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { indexedTopics } from './decodeLog.ts'
import type { IndexScope } from './indexScope.ts'
import { describeWanted, toWantedContracts } from './wantedContracts.ts'

/** The settled blocks behind the index, read while what came before is stored. */
export type ReadAhead = {
  /**
   * @returns the next range behind the cursor, from `from` on; undefined when reading was ended
   * @throws Failure of the node, or of the store
   */
  next(blocks: { readonly from: number; readonly to: number }, cursor: BlockRef | undefined): Promise<ChainRange | undefined>
  /** The range that `next` gives; undefined before the first, and when reading was ended. @throws as `next` */
  peek(): Promise<ChainRange | undefined>
  /** Forgets what was read and ends what is under way: the index does not continue as was thought. */
  drop(): void
}

/**
 * Logs of ranges that are stored in one transaction where they were read faster than they are stored: the pages that a transaction
 * changes are written once. More would keep other writers waiting for longer than half a second.
 */
const joinLogsMax = 4_000

type Deps = {
  readonly chain: Chain
  readonly store: Store
  readonly scope: IndexScope
  readonly spanMax: number
  readonly signal: AbortSignal
}

type Open = {
  readonly ranges: AsyncIterator<ChainRange, undefined>
  readonly calls: AbortController
  readonly to: number
  /** Where the range given last ends. */
  end: BlockHash | undefined
  /** The range that was asked for before its turn. */
  peeked: Promise<IteratorResult<ChainRange, undefined>> | undefined
}

/** @param deps `spanMax`: blocks of the widest range; `signal` ends the reading for good */
export function createReadAhead({ chain, store, scope, spanMax, signal }: Deps): ReadAhead {
  let open: Open | undefined
  const drop = () => {
    open?.calls.abort()
    open = undefined
  }
  const begin = async (from: number, to: number, cursor: BlockRef | undefined): Promise<Open> => {
    // An empty index has no block that nodes on another chain could be told by.
    const anchor = cursor ?? (await chain.readHeader(Math.max(0, from - 1)))
    const calls = new AbortController()
    const contracts = toWantedContracts(scope, () => listPoolAddresses(store.read))
    const ranges = chain.readHistory({
      ...{ from, to, topics: indexedTopics, contracts, order: 'up', spanMax, joinLogsMax, anchor },
      wanted: describeWanted(scope),
      signal: AbortSignal.any([signal, calls.signal]),
    })
    return { ranges: ranges[Symbol.asyncIterator](), calls, to, end: cursor, peeked: undefined }
  }
  return {
    next: async ({ from, to }, cursor) => {
      if (open?.to !== to || open.end?.hash !== cursor?.hash) drop()
      open ??= await begin(from, to, cursor)
      const { ranges, peeked } = open
      open.peeked = undefined
      const { value } = await (peeked ?? ranges.next())
      if (!value) return undefined
      open.end = value.headers.at(-1)
      return value
    },
    peek: async () => {
      if (!open) return undefined
      open.peeked ??= open.ranges.next()
      return (await open.peeked).value
    },
    drop,
  }
}
