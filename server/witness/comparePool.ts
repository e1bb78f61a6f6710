import type { Pool } from '../store/pools.ts'
import type { PoolReading } from './readPoolStates.ts'

/** What of a pool's contract is not as the events make it. */
export type Difference = 'price' | 'liquidity in range' | 'fee growth'

/** Compares the index's pool with its contract at the same block. Pure. @returns undefined when they agree */
export function comparePool(pool: Pool, reading: PoolReading): Difference | undefined {
  if (reading.sqrtPriceX96 !== pool.sqrtPriceX96 || (pool.tick ?? 0) !== reading.tick) return 'price'
  if (reading.liquidity !== pool.liquidity) return 'liquidity in range'
  const { feeGrowth0, feeGrowth1 } = pool
  // Not worked out: a pool with rules of its own, or one that was indexed before fee growth was.
  if (feeGrowth0 === undefined || feeGrowth1 === undefined) return undefined
  return reading.feeGrowth0 === feeGrowth0 && reading.feeGrowth1 === feeGrowth1 ? undefined : 'fee growth'
}
