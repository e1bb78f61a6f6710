import type { Address } from '@chainboard/core'
import { nearTicks } from './nearTicks.ts'
import type { TradedPool } from './readTradedPools.ts'
import { createPositionBook, type Grouped, wholePart } from './weighSwaps.ts'

/**
 * Who has most of the liquidity within 2 % of a pool's price, and which part of it in millionths: a group of those who count as one, and the member
 * with most. Liquidity of unknown owners is nobody's.
 */
export type PoolOwner = { readonly group: string; readonly provider: string; readonly millionths: bigint }

/** The largest provider of each pool that has liquidity near its price, as far as owners are known. Pure. */
export function findOwners(pools: readonly TradedPool[], parties: Grouped): ReadonlyMap<Address, PoolOwner> {
  return new Map(
    pools.flatMap(({ address, changes, tick }) => {
      const book = createPositionBook(parties)
      for (const change of changes) book.change(change)
      const { total, largest, group, provider } = book.findLargest(nearTicks(tick))
      return group === undefined || provider === undefined
        ? []
        : [[address, { group, provider, millionths: (largest * wholePart) / total }] as const]
    }),
  )
}
