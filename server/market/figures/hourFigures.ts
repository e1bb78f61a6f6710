import { type Hop, hopPrice, timesFraction } from '@chainboard/core'

/** Anything that happened in a pool; a price where it set one. */
export type PriceEvent = { readonly kind: string; readonly sqrtPriceX96?: bigint | undefined }

/** Prices of a pool in an hour, as sqrtPriceX96. */
export type HourPrices = { readonly open: bigint; readonly high: bigint; readonly low: bigint; readonly close: bigint }

/**
 * The prices of an hour as the index folds them: one after each event, so that an hour that begins with a mint opens at the price
 * before it. Pure.
 * @param events in the order of the chain @param before the pool's price as the hour began; 0 when it had none
 * @returns undefined for an hour in which nothing happened
 */
export function toHourPrices(events: readonly PriceEvent[], before: bigint): HourPrices | undefined {
  let price = before
  const prices = events.map((event) => {
    if (event.kind === 'swap' || event.kind === 'initialize') price = event.sqrtPriceX96 ?? price
    return price
  })
  const [open, ...rest] = prices
  if (open === undefined) return undefined
  const high = rest.reduce((a, b) => (b > a ? b : a), open)
  const low = rest.reduce((a, b) => (b < a ? b : a), open)
  return { open, high, low, close: price }
}

/** The same in US dollars x 10^18 per whole base token. @param closeUsdE18 what the base was worth at the end of the hour */
export function toHourDollars(
  hop: Pick<Hop, 'baseIsToken0' | 'decimals0' | 'decimals1'>,
  hour: HourPrices,
  closeUsdE18: bigint,
): HourPrices {
  const close = hopPrice(hop, hour.close)
  // US dollars at another price of the same hour: close x (that price / close).
  const inUsd = (sqrtPriceX96: bigint) => {
    const { numerator, denominator } = hopPrice(hop, sqrtPriceX96)
    return timesFraction(closeUsdE18, { numerator: numerator * close.denominator, denominator: denominator * close.numerator })
  }
  // For a token1 the pool's highest sqrtPrice is its own lowest price.
  const [high, low] = hop.baseIsToken0 ? [hour.high, hour.low] : [hour.low, hour.high]
  return { open: inUsd(hour.open), high: inUsd(high), low: inUsd(low), close: closeUsdE18 }
}
