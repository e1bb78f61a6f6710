import type { WireConfig, WirePool } from '@chainboard/contract'
import { formatFeeTier, isSameHex, shortenAddress, toDisplayText } from '@chainboard/core'

type Side = WirePool['token0']

/** A token's symbol made harmless; its address where it has none. */
export function toSymbol({ symbol, address }: Side): string {
  return toDisplayText(symbol, shortenAddress(address), 12)
}

export type Pair = {
  /** What is bought and sold in the pool. */
  readonly base: Side
  /** What it is paid with. */
  readonly quote: Side
  /** Of the quote token, per whole base token; null without a price. */
  readonly price: number | null
}

/** The coins that others are paid with. */
type Coins = Pick<WireConfig, 'usdc' | 'wrappedNative'>

/** A pool's tokens as traders name them: paid with USDC, else with the chain's coin, whatever order the contract keeps them in. */
export function toPair({ token0, token1, price }: WirePool, coins: Coins | undefined): Pair {
  const rank = ({ address }: Side): number => {
    if (isSameHex(address, coins?.usdc.address)) return 2
    return isSameHex(address, coins?.wrappedNative.address) ? 1 : 0
  }
  if (rank(token0) <= rank(token1)) return { base: token0, quote: token1, price }
  return { base: token1, quote: token0, price: price === null || !(price > 0) ? null : 1 / price }
}

/** `WEMB/USDC 0.3%` */
export function toPoolName(pool: WirePool, coins: Coins | undefined): string {
  const { base, quote } = toPair(pool, coins)
  return `${toSymbol(base)}/${toSymbol(quote)} ${formatFeeTier(pool.fee)}`
}

export type Sides = {
  /** US dollars that move the price of the token by 2 %: up by buying it, down by selling. */
  readonly buyUsd: number
  readonly sellUsd: number
}

/** Both sides of a pool's depth as seen from one of its tokens; undefined where it is not known. */
export function toSides({ depth, token0 }: WirePool, token: string): Sides | undefined {
  if (!depth) return undefined
  const { upUsd, downUsd } = depth
  // What raises the price of token0 lowers that of token1.
  return token0.address === token.toLowerCase() ? { buyUsd: upUsd, sellUsd: downUsd } : { buyUsd: downUsd, sellUsd: upUsd }
}

/** `42%`, of all that is known; undefined for nothing. */
export function toShare(part: number | null, whole: number): string | undefined {
  if (part === null || !(whole > 0)) return undefined
  const percent = (part / whole) * 100
  if (percent > 0 && percent < 1) return '<1%'
  return `${Math.round(percent)}%`
}
