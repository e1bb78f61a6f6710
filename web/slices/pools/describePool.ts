import type { WirePool } from '@chainboard/contract'
import { formatFeeTier, shortenAddress, toDisplayText } from '@chainboard/core'

type Side = WirePool['token0']

/** A token's symbol made harmless; its address where it has none. */
export function toSymbol({ symbol, address }: Side): string {
  return toDisplayText(symbol, shortenAddress(address), 12)
}

/** `WEMB/USDC 0.3%` */
export function toPoolName({ token0, token1, fee }: WirePool): string {
  return `${toSymbol(token0)}/${toSymbol(token1)} ${formatFeeTier(fee)}`
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
