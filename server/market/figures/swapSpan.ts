import { createHash } from 'node:crypto'
import { absolute } from '@chainboard/core'

/** Of a swap, what the chain says. Amounts in smallest units, positive into the pool. */
export type SpanSwap = {
  readonly blockNumber: number
  readonly logIndex: number
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
}

/** Swaps of one pool in a span, told in a few figures. `checksum`: SHA-256 of {@link toSwapLine} of each, in the chain's order. */
export type SwapSpan = {
  readonly swaps: number
  readonly volume0: bigint
  readonly volume1: bigint
  readonly checksum: string
}

/** @param swaps in the order of the chain */
export function toSwapSpan(swaps: readonly SpanSwap[]): SwapSpan {
  const hash = createHash('sha256')
  let [volume0, volume1] = [0n, 0n]
  for (const swap of swaps) {
    hash.update(toSwapLine(swap))
    volume0 += absolute(swap.amount0)
    volume1 += absolute(swap.amount1)
  }
  return { swaps: swaps.length, volume0, volume1, checksum: hash.digest('hex') }
}

/** `block:log:amount0:amount1:sqrtPriceX96` and a line feed, all decimal. */
function toSwapLine({ blockNumber, logIndex, amount0, amount1, sqrtPriceX96 }: SpanSwap): string {
  return `${blockNumber}:${logIndex}:${amount0}:${amount1}:${sqrtPriceX96}\n`
}
