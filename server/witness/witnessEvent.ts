import { changePosition, growthOf, type TickList, walkSwap } from '@chainboard/core'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { Swap } from '../store/swaps.ts'

/** What of a pool the next event has to fit. `feeProtocol` as in `slot0`. */
export type WitnessedPool = FeeGrowth & {
  readonly sqrtPriceX96: bigint
  readonly tick: number | undefined
  readonly liquidity: bigint
  readonly fee: number
  readonly tickSpacing: number
  readonly feeProtocol: number
}

/** `feeGrowthGlobal0X128` and `…1X128` as the events make them; undefined when an event did not fit. */
export type FeeGrowth = { readonly feeGrowth0: bigint | undefined; readonly feeGrowth1: bigint | undefined }

/** What about an event does not fit the events before it; `fields`: no pool emits such. */
export type Misfit = 'direction' | 'amounts' | 'liquidity' | 'fee' | 'unopened' | 'opened' | 'created' | 'fields'

export type Witnessed = FeeGrowth & { readonly misfit: Misfit | undefined }

const unknown: FeeGrowth = { feeGrowth0: undefined, feeGrowth1: undefined }
const modulus = 1n << 256n

/**
 * Checks an event against the pool as the events before it left it, and works out the fee growth after it.
 * @param ticks of the pool before the event; a mint or burn changes them in place
 */
export function witnessEvent(before: WitnessedPool, ticks: TickList, event: Swap | PoolEvent): Witnessed {
  const { feeGrowth0, feeGrowth1, feeProtocol, tick, liquidity } = before
  const same: Witnessed = { feeGrowth0, feeGrowth1, misfit: undefined }
  switch (event.kind) {
    case 'initialize':
      return tick === undefined ? same : { ...unknown, misfit: 'opened' }
    case 'collect':
      return same
    case 'mint':
    case 'burn': {
      const amount = event.amount ?? 0n
      changePosition(ticks, event, event.kind === 'mint' ? amount : -amount)
      return tick === undefined ? { ...unknown, misfit: 'unopened' } : same
    }
    case 'flash':
      return {
        feeGrowth0: add(feeGrowth0, growthOf(event.paid0, feeProtocol % 16, liquidity)),
        feeGrowth1: add(feeGrowth1, growthOf(event.paid1, feeProtocol >> 4, liquidity)),
        misfit: liquidity > 0n ? undefined : 'liquidity',
      }
    case 'swap': {
      if (tick === undefined) return { ...unknown, misfit: 'unopened' }
      const walk = walkSwap({ ...before, tick }, ticks, event)
      // A pool whose very first fee is another one has rules of its own, as forks with dynamic fees do: no omission looks so.
      const hasOwnRules = feeGrowth0 === undefined || (feeGrowth0 === 0n && feeGrowth1 === 0n)
      if (walk.kind === 'misfit') return { ...unknown, misfit: walk.what === 'fee' && hasOwnRules ? undefined : walk.what }
      return walk.token === 0
        ? { ...same, feeGrowth0: add(feeGrowth0, walk.growth) }
        : { ...same, feeGrowth1: add(feeGrowth1, walk.growth) }
    }
  }
}

function add(growth: bigint | undefined, more: bigint): bigint | undefined {
  return growth === undefined ? undefined : (growth + more) % modulus
}
