import type { Address } from '@chainboard/core'
import type { PoolCheck } from '../store/poolChecks.ts'
import type { Pool } from '../store/pools.ts'

/**
 * Pools to compare next: those that traded since their last comparison, most recently traded first, then those that were
 * compared longest ago. Half of the places are for the latter, so that a pool whose every event is kept back has its turn.
 */
export function pickPools(pools: readonly Pool[], checks: ReadonlyMap<Address, PoolCheck>, limit: number): Pool[] {
  const checkedAt = ({ address }: Pool) => checks.get(address)?.atSeconds ?? 0
  const tradedAt = ({ lastSwapAtSeconds }: Pool) => lastSwapAtSeconds ?? 0
  const traded = pools.filter((pool) => tradedAt(pool) > checkedAt(pool)).sort((a, b) => tradedAt(b) - tradedAt(a))
  const longest = pools.toSorted((a, b) => checkedAt(a) - checkedAt(b))
  const half = Math.ceil(limit / 2)
  return [...new Set([...traded.slice(0, half), ...longest, ...traded])].slice(0, limit)
}

/** After a rollback, checks of later blocks say nothing. */
export function forgetChecks(checks: Map<Address, PoolCheck>, above: number): void {
  for (const [pool, { blockNumber }] of checks) if (blockNumber > above) checks.delete(pool)
}
