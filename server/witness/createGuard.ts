import { type Address, Failure } from '@chainboard/core'
import type { Doubt } from '../store/poolChecks.ts'
import type { EventPlace } from '../store/swaps.ts'
import type { Misfit } from './witnessEvent.ts'

/** How often one and the same event may misfit before it is taken as it is, marked as doubtful. */
const sightingsMax = 4
/** Misfits whose sightings are counted; the oldest go first. */
const countedMax = 1_000

export type FoundMisfit = { readonly event: EventPlace & { readonly kind: string }; readonly what: Misfit }

/** A range whose events do not fit what the index holds. Retryable: it is read again, of another node where there is one. */
export class Doubted extends Failure {
  readonly pool: Address
  readonly blockNumber: number
  /** How often the first of its misfits was seen, this time included. */
  readonly sightings: number

  constructor({ event, what }: FoundMisfit, sightings: number) {
    const { pool, blockNumber } = event
    super(
      'rpc-invalid',
      `The node's logs are incomplete: ${event.kind} of pool ${pool} in block ${blockNumber} does not match the pool's state`,
      {
        retryable: true,
        detail: { pool, blockNumber, what, sightings },
      },
    )
    this.pool = pool
    this.blockNumber = blockNumber
    this.sightings = sightings
  }
}

/** Decides about events that do not fit: refuse their range, or take them because nodes insist. */
export type Guard = {
  /**
   * @returns the misfits that nodes gave again and again, as doubts to be stored
   * @throws Doubted while there is one that they did not
   */
  check(misfits: readonly FoundMisfit[]): Doubt[]
}

/** Sightings are kept in memory: after a start each event is refused again. @param nowSeconds the date, of doubts */
export function createGuard(nowSeconds: () => number = () => Math.floor(Date.now() / 1_000)): Guard {
  const sightings = new Map<string, number>()
  return {
    check(misfits) {
      let open: { misfit: FoundMisfit; count: number } | undefined
      for (const misfit of misfits) {
        const key = keyOf(misfit)
        const count = (sightings.get(key) ?? 0) + 1
        if (count > sightingsMax) continue
        if (!open) {
          open = { misfit, count }
          sightings.set(key, count)
        }
      }
      for (const key of sightings.keys()) {
        if (sightings.size <= countedMax) break
        sightings.delete(key)
      }
      if (open) throw new Doubted(open.misfit, open.count)
      return misfits.map(({ event, what }) => ({
        pool: event.pool,
        blockNumber: event.blockNumber,
        what,
        sinceSeconds: nowSeconds(),
      }))
    },
  }
}

function keyOf({ event, what }: FoundMisfit): string {
  return `${event.blockNumber} ${event.logIndex} ${event.txHash} ${what}`
}
