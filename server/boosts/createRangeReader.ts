import { type Address, Failure } from '@chainboard/core'
import type { Chain, ChainRange } from '../chain/chain.ts'
import { boostTopics } from './decodeBoostLogs.ts'

/**
 * Reads the contract's logs from one block on, as far as the node answers at once and to `to` at most.
 * `everyHeader`: with every header, and logs by the hash of each block; absent: no.
 */
export type RangeReader = (from: number, to: number, how?: { readonly everyHeader: boolean }) => Promise<ChainRange>

/** @param spanMax the widest range ever asked for; it halves when refused and grows back */
export function createRangeReader(chain: Chain, contract: Address, spanMax: number): RangeReader {
  let span = spanMax
  return async (from, to, { everyHeader } = { everyHeader: false }) => {
    for (;;) {
      const last = Math.min(to, from + span - 1)
      try {
        const range = await chain.readRange({ from, to: last, address: contract, topics: boostTopics, everyHeader })
        span = Math.min(spanMax, span * 2)
        return range
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'rpc-range-too-wide' || last === from) throw error
        span = Math.floor((last - from + 1) / 2)
      }
    }
  }
}
