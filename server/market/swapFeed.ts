import type { Address } from '@chainboard/core'
import type { IndexReader } from '../store/indexSwitch.ts'
import { findKeptSince } from '../store/keptSince.ts'
import type { Db, Tx } from '../store/store.ts'
import {
  listAllSwapsBefore,
  listPoolFaces,
  listSwapsOfBefore,
  listSwapsOfPoolsBefore,
  listTradedPools,
  type PoolFace,
  type SwapPlace,
  type TokenFace,
} from '../store/swapFeed.ts'
import type { ValuedSwap } from '../store/swaps.ts'

export type { SwapPlace, TokenFace }

/** Which swaps are asked for; what is absent limits nothing. */
export type FeedFilter = {
  readonly token?: Address | undefined
  readonly pool?: Address | undefined
  /** Whom the swap paid out to. */
  readonly wallet?: Address | undefined
  /** As seen from `token`. */
  readonly side?: 'buy' | 'sell' | undefined
  /** US dollars x 10^18 that a swap was worth at the least: one without a value is worth less than any. */
  readonly usdE18Min?: bigint | undefined
}

export type FeedRequest = FeedFilter & { readonly before?: SwapPlace | undefined; readonly limit: number }

export type FeedSwap = { readonly swap: ValuedSwap; readonly pool: PoolFace }

export type FeedAnswer = {
  /** Newest first. */
  readonly swaps: readonly FeedSwap[]
  /** Where the next page begins; undefined: there is none. */
  readonly next: SwapPlace | undefined
  /** Unix seconds until which was searched, when the search ended before the page was full. */
  readonly searchedToSeconds: number | undefined
  /** Unix seconds from when on the index has every swap; undefined: from the beginning. */
  readonly sinceSeconds: number | undefined
}

/** Rows that one page reads at the most. What a filter has not found among them is on the next page. */
export const scannedMax = 5_000
/** Rows that are read at once while a filter looks through them: the event loop has a turn between two readings. */
const chunkRows = 250
/** A token with more pools than these is looked for among all swaps, of which it has many: each pool is a reading of its own. */
const poolsMax = 16

/** A page of swaps from a place back. */
export function readSwapFeed(index: IndexReader, request: FeedRequest, rowsMax = scannedMax): Promise<FeedAnswer> {
  return index.use(({ store, sinceSeconds }) =>
    store.readConsistently(async (tx) => {
      const { swaps: kept } = await findKeptSince(tx)
      return { ...(await readPage(tx, request, rowsMax)), sinceSeconds: later(kept, sinceSeconds) }
    }),
  )
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}

async function readPage(tx: Tx, request: FeedRequest, rowsMax: number): Promise<Omit<FeedAnswer, 'sinceSeconds'>> {
  const { limit } = request
  const { list, isPlain } = await openRows(tx, request)
  const found: FeedSwap[] = []
  const faces = new Map<Address, PoolFace>()
  let before = request.before
  for (let scanned = 0; ; ) {
    // One more than a page that needs no search: it says whether another page follows.
    const size = isPlain ? limit + 1 - found.length : Math.min(chunkRows, rowsMax - scanned)
    const rows = await list(before, size)
    scanned += rows.length
    await addFaces(tx, faces, rows)
    for (const [place, swap] of rows.entries()) {
      const pool = faces.get(swap.pool)
      if (!pool || !passes(request, { swap, pool })) continue
      found.push({ swap, pool })
      const isLast = place === rows.length - 1 && rows.length < size
      if (found.length === limit) return { swaps: found, next: isLast ? undefined : swap, searchedToSeconds: undefined }
    }
    const last = rows.at(-1)
    if (!last || rows.length < size) return { swaps: found, next: undefined, searchedToSeconds: undefined }
    if (scanned >= rowsMax) return { swaps: found, next: last, searchedToSeconds: last.timestampSeconds }
    before = last
    await new Promise((turn) => setImmediate(turn))
  }
}

type Rows = {
  readonly list: (before: SwapPlace | undefined, limit: number) => Promise<ValuedSwap[]>
  /** Every row is asked for. */
  readonly isPlain: boolean
}

/** The shortest list that has all swaps asked for. */
async function openRows(db: Db | Tx, { wallet, pool, token, side, usdE18Min }: FeedRequest): Promise<Rows> {
  const isUnfiltered = side === undefined && usdE18Min === undefined
  const of = (whose: Parameters<typeof listSwapsOfBefore>[1]) => (before: SwapPlace | undefined, limit: number) =>
    listSwapsOfBefore(db, whose, { before, limit })
  if (wallet) return { list: of({ recipient: wallet }), isPlain: isUnfiltered && !pool && !token }
  if (pool) return { list: of({ pool }), isPlain: isUnfiltered && !token }
  const all: Rows['list'] = (before, limit) => listAllSwapsBefore(db, { before, limit })
  if (!token) return { list: all, isPlain: isUnfiltered }
  const pools = await listTradedPools(db, token, poolsMax + 1)
  if (pools.length > poolsMax) return { list: all, isPlain: false }
  return { list: (before, limit) => listSwapsOfPoolsBefore(db, pools, { before, limit }), isPlain: isUnfiltered }
}

async function addFaces(db: Db | Tx, faces: Map<Address, PoolFace>, rows: readonly ValuedSwap[]): Promise<void> {
  const missing = [...new Set(rows.map(({ pool }) => pool))].filter((pool) => !faces.has(pool))
  if (missing.length > 0) for (const face of await listPoolFaces(db, missing)) faces.set(face.address, face)
}

function passes({ token, pool, side, usdE18Min, wallet }: FeedFilter, { swap, pool: face }: FeedSwap): boolean {
  if (wallet && swap.recipient !== wallet) return false
  if (pool && swap.pool !== pool) return false
  if (token && face.token0.address !== token && face.token1.address !== token) return false
  if (usdE18Min !== undefined && swap.usdE18 < usdE18Min) return false
  return side === undefined || token === undefined || sideOf(token, { swap, pool: face }) === side
}

/** What a swap was to a token of its pool: it left the pool for who bought it. */
export function sideOf(token: Address, { swap, pool }: FeedSwap): 'buy' | 'sell' {
  const intoPool = pool.token0.address === token ? swap.amount0 : swap.amount1
  return intoPool < 0n ? 'buy' : 'sell'
}

/** What a trader gave and got. Smallest units; both are 0 at the least. */
export function toLegs({ swap, pool }: FeedSwap) {
  const [leg0, leg1] = [
    { token: pool.token0, intoPool: swap.amount0 },
    { token: pool.token1, intoPool: swap.amount1 },
  ]
  // A pool takes one token and gives the other one; dust may be given for nothing.
  const [sold, bought] = leg0.intoPool > 0n || leg1.intoPool < 0n ? [leg0, leg1] : [leg1, leg0]
  const absolute = (amount: bigint) => (amount < 0n ? -amount : amount)
  return {
    sold: { token: sold.token, amountRaw: absolute(sold.intoPool) },
    bought: { token: bought.token, amountRaw: absolute(bought.intoPool) },
  }
}

/** Swaps of one file at the most. */
export const fileRowsMax = 10_000
/** Rows that are read for one file: a filter that finds little ends there. */
const fileScannedMax = 200_000

/** The same as a file has them, page by page, until there are no more or the file is full. */
export async function* streamSwapFeed(index: IndexReader, filter: FeedFilter): AsyncGenerator<readonly FeedSwap[]> {
  let [left, unread] = [fileRowsMax, fileScannedMax]
  for (let before: SwapPlace | undefined; left > 0 && unread > 0; ) {
    const page = await readSwapFeed(index, { ...filter, before, limit: Math.min(left, chunkRows) })
    if (page.swaps.length > 0) yield page.swaps
    left -= page.swaps.length
    unread -= page.searchedToSeconds === undefined ? chunkRows : scannedMax
    if (!page.next) return
    before = page.next
    await new Promise((turn) => setImmediate(turn))
  }
}
