import type { WireRetracted } from '@chainboard/contract'
import type { Address, PriceStatus } from '@chainboard/core'
import { priceStatusOf } from '../../../market/takeSnapshot.ts'
import type { TokenMarket } from '../../../market/tokenMarket.ts'
import type { CachedPrices } from '../priceCache.ts'
import type { EventName, EventWords } from './eventRing.ts'

/** A block of the index. */
type BlockRef = NonNullable<CachedPrices['snapshot']['atBlock']>

/** How the index moved: where it is now, and whether it was taken back to there. */
export type IndexMove = { readonly cursor: BlockRef | undefined; readonly rolledBack: boolean }

/** What was last told of a token. `block`: the one at which it changed; undefined: not for a block's sake. */
type Told = {
  readonly market: TokenMarket | undefined
  readonly usdE18: bigint | undefined
  readonly pairE18: bigint | undefined
  readonly status: PriceStatus | undefined
  readonly block: number | undefined
}

export type FeedDeps<E> = {
  readonly prices: () => CachedPrices
  /** Makes events. */
  readonly ring: { append(name: EventName, addresses: readonly string[], words: EventWords): E }
  readonly nowSeconds: () => number
  /** What was told before, by another server; absent: nothing. */
  readonly before?: ToldBefore | undefined
}

/** Blocks of the index that were told of, at which of them each token's price last changed, and tokens whose last price was taken back. */
export type ToldBefore = {
  readonly blocks: readonly BlockRef[]
  readonly changedAt: ReadonlyMap<Address, number>
  readonly voided: ReadonlySet<Address>
}

/** Blocks remembered to know their prices again when the chain has left them. */
const blocksMax = 4_096

/**
 * Turns markets into events: a `price` for each token whose price, price in its pair or status is another than was told last;
 * `retracted` when the chain has left blocks that changes were told of. The first look tells nothing: it is what a caller
 * reads from the list.
 */
export function createPriceFeed<E>({ prices, ring, nowSeconds, before: earlier }: FeedDeps<E>) {
  const told = new Map<Address, Told>()
  const left = new Set<string>()
  let blocks: readonly BlockRef[] = earlier?.blocks ?? []
  let lastPrices: CachedPrices | undefined

  const look = (): readonly E[] => {
    const current = prices()
    const { atBlock, markets } = current.snapshot
    // Taken while the chain changed its mind: another one is on its way.
    if (current === lastPrices || (atBlock && left.has(atBlock.hash))) return []
    const isFirst = lastPrices === undefined
    lastPrices = current
    const events: E[] = []
    for (const market of markets) {
      const { id } = market.token
      const before = told.get(id)
      const status = priceStatusOf(market, { nowSeconds: nowSeconds() })
      if (before?.market === market && before.status === status) continue
      const now = {
        ...toTold(market, status, isFirst ? undefined : atBlock),
        ...(isFirst && { block: earlier?.changedAt.get(id) }),
      }
      const isSame = before !== undefined && !isChanged(before, now)
      told.set(id, isSame ? { ...now, block: before.block } : isFirst && earlier?.voided.has(id) ? untold : now)
      const entry = isFirst || isSame ? undefined : current.find(id)
      if (entry) events.push(ring.append('price', [id], entry))
    }
    return events
  }

  const retract = (cursor: BlockRef | undefined): readonly E[] => {
    const upTo = cursor?.number ?? -1
    for (const { number, hash } of blocks) if (number > upTo) left.add(hash)
    blocks = blocks.filter(({ number }) => number <= upTo)
    const voided = [...told].filter(([, { block }]) => block !== undefined && block > upTo)
    // Whatever the price is now, it has to be told again.
    for (const [id] of voided) told.set(id, untold)
    if (voided.length === 0) return []
    const spelled = new Map<string, string>(voided.map(([id, { market }]) => [id, market?.token.address ?? id]))
    const tellOf = (ids: readonly string[]) => {
      const data: WireRetracted = { block: cursor?.number ?? null, addresses: ids.map((id) => spelled.get(id) ?? id) }
      return JSON.stringify(data)
    }
    const ids = [...spelled.keys()]
    return [ring.append('retracted', ids, { json: tellOf(ids), tellOf })]
  }

  return {
    look,
    /** To be told of every move of the index, before the market is taken anew. */
    follow: ({ cursor, rolledBack }: IndexMove): readonly E[] => {
      if (rolledBack) return retract(cursor)
      if (cursor) {
        // A block may come back.
        left.delete(cursor.hash)
        blocks = [...blocks.slice(1 - blocksMax), cursor]
      }
      return []
    },
  }
}

const untold: Told = { market: undefined, usdE18: undefined, pairE18: undefined, status: undefined, block: undefined }

function toTold(market: TokenMarket, status: PriceStatus, atBlock: BlockRef | undefined): Told {
  const { quote, displayPool } = market
  const isOffChain = quote !== undefined && quote.atBlock === undefined
  const block = isOffChain ? undefined : atBlock?.number
  return { market, usdE18: quote?.usdE18, pairE18: displayPool?.priceE18, status, block }
}

function isChanged(before: Told, now: Told): boolean {
  return before.usdE18 !== now.usdE18 || before.pairE18 !== now.pairE18 || before.status !== now.status
}
