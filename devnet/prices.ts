// From US dollars to a pool's own price and back. A pool keeps sqrt(token1 per token0, in smallest units) x 2^96.

import { sortPair } from './addresses.ts'
import { DevnetFault } from './devnetFault.ts'
import { type DevPool, pools } from './pools.ts'
import { getToken } from './tokens.ts'

const q96 = 2 ** 96

type Side = {
  readonly baseIsToken0: boolean /** Smallest units of token1 per token0, for a price of 1 whole per whole. */
  readonly scale: number
}

const sides = new Map<DevPool, Side>(
  pools.map((pool) => {
    const { token0, token1 } = sortPair(pool)
    return [pool, { baseIsToken0: token0 === pool.base, scale: 10 ** (getToken(token1).decimals - getToken(token0).decimals) }]
  }),
)

/** @param quotePerBase whole quote tokens per whole base token */
export function toSqrtPriceX96(pool: DevPool, quotePerBase: number): bigint {
  const { baseIsToken0, scale } = sideOf(pool)
  const raw = (baseIsToken0 ? quotePerBase : 1 / quotePerBase) * scale
  return BigInt(Math.round(Math.sqrt(raw) * q96))
}

/** Whole quote tokens per whole base token. */
export function fromSqrtPriceX96(pool: DevPool, sqrtPriceX96: bigint): number {
  const { baseIsToken0, scale } = sideOf(pool)
  const root = Number(sqrtPriceX96) / q96
  const token1PerToken0 = (root * root) / scale
  return baseIsToken0 ? token1PerToken0 : 1 / token1PerToken0
}

/** Whole tokens in the token's smallest unit. */
export function toRaw(symbol: string, whole: number): bigint {
  const { decimals } = getToken(symbol)
  const kept = Math.min(decimals, 6)
  const scaled = whole * 10 ** kept
  if (scaled < 2 ** 53) return BigInt(Math.round(scaled)) * 10n ** BigInt(decimals - kept)
  return BigInt(Math.round(whole)) * 10n ** BigInt(decimals)
}

function sideOf(pool: DevPool): Side {
  const side = sides.get(pool)
  if (!side) throw new DevnetFault(`${pool.base}/${pool.quote} is no pool of the devnet`)
  return side
}
