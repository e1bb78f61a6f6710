import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Address } from '@chainboard/core'
import type { Snapshot } from '../../market/takeSnapshot.ts'
import type { TokenMarket } from '../../market/tokenMarket.ts'
import { findTurn } from '../findTurn.ts'
import type { Encoding } from '../packing.ts'
import { type PackedHead, packHead } from './splice.ts'
import { toPrice } from './toPrice.ts'

/** One token's answer, written once for everybody: what is left to add is the caller's own `rateLimit` and a brace. */
export type CachedPrice = {
  /** The price alone. */
  readonly json: string
  readonly head: string
  readonly headBytes: number
  /** Letters that are one byte each can be sent faster. */
  readonly charset: 'latin1' | 'utf8'
  /** Of the price alone: a weak tag, since the rest of the body is the caller's. */
  readonly tag: string
}

export type CachedList = { readonly head: PackedHead; readonly tag: string }

/** All answers about one snapshot, as long as no price in it turns stale. */
export type CachedPrices = {
  readonly snapshot: Snapshot
  /** Unix seconds after which a price in it is stale; infinite when none turns. */
  readonly untilSeconds: number
  /** `address` in small letters; undefined: no such token is listed. */
  find(address: string): CachedPrice | undefined
  /** All tokens in the list's order. Packed when first asked for. */
  list(encoding: Encoding): Promise<CachedList>
  /** The same if it is packed already. */
  readyList(encoding: Encoding): CachedList | undefined
}

/** Tokens written in one turn of the event loop: other callers are answered in between. */
const turnSize = 500
const openHead = '{"success":true,"data":'
const openRateLimit = ',"rateLimit":'

export type CacheDeps = { readonly snapshot: () => Snapshot; readonly nowSeconds: () => number }

/** The answers of the price API, made when first asked for and kept as long as they are true. */
export function keepPriceCache({ snapshot, nowSeconds }: CacheDeps): () => CachedPrices {
  let prices: CachedPrices | undefined
  return () => {
    const [current, now] = [snapshot(), nowSeconds()]
    if (prices?.snapshot === current && now <= prices.untilSeconds) return prices
    prices = cachePrices(current, now)
    return prices
  }
}

function cachePrices(snapshot: Snapshot, nowSeconds: number): CachedPrices {
  const entries = new Map<string, CachedPrice>()
  const packed = new Map<Encoding, Promise<CachedList>>()
  const ready = new Map<Encoding, CachedList>()
  let plain: Promise<{ readonly bytes: Buffer; readonly tag: string }> | undefined

  const pack = async (encoding: Encoding): Promise<CachedList> => {
    plain ??= writeList(snapshot.markets, nowSeconds)
    const { bytes, tag } = await plain
    const entry = { head: await packHead(bytes, encoding), tag }
    ready.set(encoding, entry)
    return entry
  }
  return {
    snapshot,
    untilSeconds: findTurn(snapshot.markets, nowSeconds),
    find: (address) => {
      const known = entries.get(address)
      if (known) return known
      const market = snapshot.byToken.get(address as Address)
      if (!market) return undefined
      const entry = toEntry(market, nowSeconds)
      entries.set(address, entry)
      return entry
    },
    list: (encoding) => {
      const entry = packed.get(encoding) ?? pack(encoding)
      packed.set(encoding, entry)
      // What failed is not kept.
      entry.catch(() => packed.delete(encoding))
      return entry
    },
    readyList: (encoding) => ready.get(encoding),
  }
}

function toEntry(market: TokenMarket, nowSeconds: number): CachedPrice {
  const json = JSON.stringify(toPrice(market, nowSeconds))
  const head = `${openHead}${json}${openRateLimit}`
  const headBytes = Buffer.byteLength(head)
  return { json, head, headBytes, charset: headBytes === head.length ? 'latin1' : 'utf8', tag: toTag(json) }
}

async function writeList(markets: readonly TokenMarket[], nowSeconds: number) {
  const parts: Buffer[] = [Buffer.from(`${openHead}[`)]
  for (let from = 0; from < markets.length; from += turnSize) {
    if (from > 0) await nextTurn()
    const written = markets.slice(from, from + turnSize).map((market) => JSON.stringify(toPrice(market, nowSeconds)))
    parts.push(Buffer.from(`${from > 0 ? ',' : ''}${written.join(',')}`))
  }
  const data = Buffer.concat(parts)
  return { bytes: Buffer.concat([data, Buffer.from(`]${openRateLimit}`)]), tag: toTag(data) }
}

/** The answer's head of any other data. */
export function toHead(data: unknown): { readonly head: string; readonly tag: string } {
  const json = JSON.stringify(data)
  return { head: `${openHead}${json}${openRateLimit}`, tag: toTag(json) }
}

function toTag(data: string | Buffer): string {
  return `W/"${createHash('sha1').update(data).digest('base64url')}"`
}
