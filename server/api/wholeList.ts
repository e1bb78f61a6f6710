import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Boosts } from '../boosts/boosts.ts'
import type { TokenBoard } from '../market/tokenBoard.ts'
import type { TokenMarket } from '../market/tokenMarket.ts'
import type { Clock, TokenLists } from './deps.ts'
import { findTurn } from './findTurn.ts'
import { type Encoding, packBytes } from './packing.ts'
import { toOwnBytes } from './toOwnBytes.ts'

/** Tokens written in one turn of the event loop: other visitors are answered in between. */
const turnSize = 500
const minuteSeconds = 60

type Kept = {
  readonly board: TokenBoard
  readonly boosts: Expirations
  readonly leadSeconds: number
  readonly pausedAtSeconds: number | undefined
  readonly untilSeconds: number
  readonly packed: Map<Encoding, Promise<Buffer>>
}

type Expirations = ReturnType<Boosts['expirations']>

/** Writes one token as JSON. */
type Write = (market: TokenMarket) => string

export type WholeListDeps = Pick<TokenLists, 'board'> &
  Clock & { readonly boosts: Pick<Boosts, 'expirations' | 'leadSeconds' | 'pausedAtSeconds'> }

/**
 * The answer with all tokens, made when it is first asked for and kept as long as nothing in it changes: a list of 20,000 tokens
 * has 12 MB, and 1.5 MB packed.
 */
export function keepWholeList({ board, boosts, nowSeconds }: WholeListDeps) {
  const unpriced = new WeakMap<TokenMarket, Buffer>()
  let kept: Kept | undefined

  /**
   * A token and a comma. What has neither price nor boost is the same after many a block, and is written once. As bytes: the text is made of
   * hundreds of pieces, which would all be kept with it.
   */
  const toBytes = (market: TokenMarket, write: Write): Buffer => {
    if (market.quote || boosts.expirations().has(market.token.id)) return Buffer.from(`${write(market)},`)
    const bytes = unpriced.get(market) ?? toOwnBytes(`${write(market)},`)
    unpriced.set(market, bytes)
    return bytes
  }
  const pack = async (markets: readonly TokenMarket[], encoding: Encoding, write: Write): Promise<Buffer> => {
    const parts: Buffer[] = [Buffer.from('[')]
    for (let from = 0; from < markets.length; from += turnSize) {
      if (from > 0) await nextTurn()
      for (const market of markets.slice(from, from + turnSize)) parts.push(toBytes(market, write))
    }
    const plain = markets.length === 0 ? Buffer.from('[]') : Buffer.concat(parts)
    // In the place of the last comma.
    plain.write(']', plain.length - 1)
    return packBytes(plain, encoding)
  }

  return async (encoding: Encoding, write: Write): Promise<{ readonly bytes: Buffer; readonly total: number }> => {
    const current = board()
    const { markets, total } = current.slice({})
    const [expirations, leadSeconds, pausedAtSeconds] = [boosts.expirations(), boosts.leadSeconds(), boosts.pausedAtSeconds()]
    const sameClock = kept?.leadSeconds === leadSeconds && kept.pausedAtSeconds === pausedAtSeconds
    const same = sameClock && kept?.board === current && kept.boosts === expirations
    if (!kept || !same || nowSeconds() > kept.untilSeconds) {
      const now = nowSeconds()
      // In a pause no minute comes to its end.
      const toNextMinute = pausedAtSeconds === undefined ? toMinute(expirations, now + leadSeconds) : Number.POSITIVE_INFINITY
      const untilSeconds = Math.min(findTurn(markets, now), now + toNextMinute)
      kept = { board: current, boosts: expirations, leadSeconds, pausedAtSeconds, untilSeconds, packed: new Map() }
    }
    const { packed } = kept
    const bytes = packed.get(encoding) ?? pack(markets, encoding, write)
    packed.set(encoding, bytes)
    // What failed is not kept.
    bytes.catch(() => packed.delete(encoding))
    return { bytes: await bytes, total }
  }
}

/** Seconds until the next boost has a minute less: until then what is told of all of them stays true. */
function toMinute(expirations: Expirations, chainSeconds: number): number {
  const left = [...expirations.values()].map((until) => until - chainSeconds).filter((seconds) => seconds > 0)
  return Math.min(...left.map((seconds) => seconds % minuteSeconds))
}
