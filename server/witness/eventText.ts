import type { FeeProtocolChange } from '../store/feeProtocols.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { Swap } from '../store/swaps.ts'

type AnyEvent = Swap | PoolEvent | FeeProtocolChange

/**
 * An event as one line of text, the same on every server: block, log index, pool, kind, then the event's own figures in the
 * order of its contract, all decimal, addresses and hashes in lower case, fields separated by one space. Times and US dollars
 * are no part of it: the block has the one (`timedText`), the other is not on the chain.
 */
export function eventText(event: AnyEvent): string {
  const place = [event.blockNumber, event.logIndex, event.pool, event.kind]
  return [...place, ...figuresOf(event)].join(' ')
}

/** The same with who minted, and the time of its block at the end, unix seconds. The audit's checksums are of `eventText`. */
export function timedText(event: AnyEvent): string {
  const minter = event.kind === 'mint' ? ` ${event.sender ?? '-'}` : ''
  return `${eventText(event)}${minter} ${event.timestampSeconds}`
}

function figuresOf(event: AnyEvent): readonly (string | number | bigint)[] {
  switch (event.kind) {
    case 'setFeeProtocol':
      return [event.feeProtocol]
    case 'initialize':
      return [event.txHash, event.sqrtPriceX96, event.tick]
    case 'swap': {
      const { txHash, sender, recipient, amount0, amount1, sqrtPriceX96, liquidity, tick } = event
      return [txHash, sender, recipient, amount0, amount1, sqrtPriceX96, liquidity, tick]
    }
    case 'flash':
      return [event.txHash, event.sender, event.recipient, event.amount0, event.amount1, event.paid0, event.paid1]
    default: {
      const { txHash, owner, tickLower, tickUpper, amount, amount0, amount1 } = event
      return [txHash, owner, tickLower, tickUpper, amount ?? '-', amount0, amount1]
    }
  }
}
