import { setTimeout as pause } from 'node:timers/promises'
import { type Address, daySeconds, Failure, startOfHour } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import type { Receipts } from './api/receiptRoute.ts'
import type { Chain } from './chain/chain.ts'
import type { Config } from './config.ts'
import { answerFromPools, type PoolBook } from './market/answerFromPools.ts'
import { readFigure } from './market/figures/readFigure.ts'
import { isComplete, type LiveList } from './market/liveList.ts'
import type { RecentMarkets } from './market/recentMarkets.ts'
import { readBook } from './market/sources/index/indexSource.ts'
import { mergeSnapshot, toKept } from './market/takeSnapshot.ts'
import type { ListedToken } from './market/tokenList.ts'
import type { TokenMarket } from './market/tokenMarket.ts'
import { toValuation } from './networkFile.ts'
import type { NetworkFile } from './networkFileSchema.ts'
import { readPastState } from './readPastState.ts'
import { findBlock } from './store/blocks.ts'
import type { Store, Tx } from './store/store.ts'
import { type BlockRef, findCursor } from './store/syncCursor.ts'
import { takeTurns } from './takeTurns.ts'

/** Receipts go back so far. */
const daysMax = 30
/** Folding a block's hours again takes long in a large index: one at a time, with a rest, and some that wait. */
const waitingMax = 16
const booksMax = 8
const poolsMax = 40_000

export type ReceiptParts = {
  readonly store: Store
  readonly chain: Pick<Chain, 'readHeader'>
  readonly recent: Pick<RecentMarkets, 'find'>
  readonly list: Pick<LiveList, 'find' | 'holdOf'>
}

/**
 * Receipts of any block of the last 30 days. Those of the newest blocks are what was served; older ones are worked out again, out of the
 * index's own rows, to the same figures. Nothing is stored for them.
 */
export function openReceipts({ network }: Config, parts: ReceiptParts): Receipts {
  const { store, recent, list } = parts
  const openBook = createBooks(network, list)
  const inTurn = takeTurns({
    waitingMax,
    busy: 'Too many receipts are being computed. Try again',
    nowMs: () => performance.now(),
    pause,
  })
  /** What was taken off the list has no receipt, also not of the minute before. */
  const getListed = (token: Address): ListedToken => {
    const listed = list.find(token)
    if (!listed) throw new Failure('token-not-found', `Token ${token} is not on this site's list`)
    return listed
  }
  const read = async <T>(token: Address, number: number | undefined, work: (tx: Tx, at: Opened) => Promise<T>): Promise<T> => {
    const listed = getListed(token)
    // Before its turn: a node that is slow keeps nobody else waiting.
    const block = await findReceiptBlock(network, parts, number)
    return inTurn(() =>
      store.readConsistently(async (tx) => {
        const book = await openBook(tx, block)
        return work(tx, { book, market: toMarket(book, listed) })
      }),
    )
  }

  return {
    priceAt: async (token, number) => {
      getListed(token)
      return recent.find(token, number) ?? read(token, number, async (_, { market }) => market)
    },
    figureAt: async (token, figure, { block, hour }) => {
      getListed(token)
      if (!isComplete(list.holdOf(token)))
        throw new Failure(
          'token-not-found',
          `The server is still reading the pools of token ${token}. Its figures get receipts after that`,
        )
      return read(token, block, (tx, { book, market }) => {
        const found = recent.find(token, book.atBlock.number)
        // Of the same branch of the chain.
        const served = found?.quote?.atBlock?.hash === book.atBlock.hash ? found : undefined
        const hourStart = startOfHour(hour ?? book.atBlock.timestampSeconds)
        return readFigure(tx, { figure, book, network, hourStart, market: served ?? { ...market, supply: market.token.supply } })
      })
    },
  }
}

/** Pools and tokens at a block, some of them kept. */
function createBooks(network: NetworkFile, list: ReceiptParts['list']): (tx: Tx, block: BlockRef) => Promise<PoolBook> {
  const valuation = toValuation(network)
  const books = new LRUCache<string, PoolBook>({
    max: booksMax,
    maxSize: poolsMax,
    // A larger one is kept alone.
    sizeCalculation: (book) => Math.min(poolsMax, book.pools.length + 1),
  })
  return async (tx, block) => {
    const known = books.get(block.hash)
    if (known) return known
    const book = await readBook(tx, await readPastState(tx, block, valuation), { ...valuation, holdOf: list.holdOf })
    books.set(block.hash, book)
    return book
  }
}

/**
 * The block that a receipt is wanted of; absent: the index's last one. Outside of a transaction: the node may be slow.
 * @throws Failure `token-not-found` for one that is too old, or not in the index
 */
async function findReceiptBlock(
  network: NetworkFile,
  { store, chain }: ReceiptParts,
  number: number | undefined,
): Promise<BlockRef> {
  const cursor = (await findCursor(store.read))?.block
  if (network.index.pools === 'none' || !cursor)
    throw new Failure('token-not-found', 'This server has no index of its own, or an empty one')
  if (number === undefined || number === cursor.number) return cursor
  if (number > cursor.number)
    throw new Failure('token-not-found', `The index ends with block ${cursor.number}, before block ${number}`)
  const block = (await findBlock(store.read, number)) ?? (await chain.readHeader(number))
  if (!block) throw new Failure('token-not-found', `The node does not have block ${number}`)
  if (cursor.timestampSeconds - block.timestampSeconds > daysMax * daySeconds)
    throw new Failure('token-not-found', `Receipts go back ${daysMax} days, and block ${number} is older`)
  const { hash, timestampSeconds } = block
  return { number, hash, timestampSeconds }
}

type Opened = { readonly book: PoolBook; readonly market: TokenMarket }

/** A token's market as the index alone says it. */
function toMarket(book: PoolBook, token: ListedToken): TokenMarket {
  const nowSeconds = book.atBlock.timestampSeconds
  const kept = toKept('index', answerFromPools(book, [token]), nowSeconds)
  const { markets } = mergeSnapshot([kept], { tokens: [token], highlighted: [] }, { nowSeconds, chain: kept })
  const [market] = markets
  if (!market) throw new RangeError(`No market was made of token ${token.id}`)
  return market
}
