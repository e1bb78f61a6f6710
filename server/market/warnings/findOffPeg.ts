import type { WireWarning } from '@chainboard/contract'
import { type Address, e18ToNumber, formatPrice, oneE18, toDisplayText } from '@chainboard/core'
import { type CoinRates, isOff, type Rate } from './pegRates.ts'

export type PegRequest = {
  readonly symbols: ReadonlyMap<Address, string>
  /** Of the medians in the rates. */
  readonly windowSeconds: number
  /** What coins count as, in US dollars per whole coin x 10^18; a dollar where nothing is said. */
  readonly countsAs: ReadonlyMap<Address, bigint>
}

/** A stable coin that is not worth what others are: the warning about it, and what it means for a price that rests on it. */
export type OffPeg = { readonly warning: WireWarning; readonly reason: string }

/**
 * The stable coins that are off against most of the others that they are held against. Of a coin without a rate nothing is known. Pure.
 */
export function findOffPeg(rated: CoinRates, request: PegRequest): ReadonlyMap<Address, OffPeg> {
  const found = new Map<Address, OffPeg>()
  for (const [coin, rates] of rated) {
    const off = rates.filter((rate) => isOff(rate.rateE18, rate))
    if (off.length * 2 > rates.length) found.set(coin, describe(coin, off, rates.length > 1, request))
  }
  return found
}

function describe(
  coin: Address,
  off: readonly Rate[],
  hasWitnesses: boolean,
  { symbols, windowSeconds, countsAs }: PegRequest,
): OffPeg {
  const nameOf = (address: Address) => toDisplayText(symbols.get(address) ?? '', 'the coin', 16)
  const rates = off.map(({ quote, rateE18 }) => `${formatPrice(e18ToNumber(rateE18))} ${nameOf(quote)}`).join(' and ')
  const counted = countsAs.get(coin) ?? oneE18
  const dollars = counted === oneE18 ? '$1' : `$${formatPrice(e18ToNumber(counted))}`
  const meaning = hasWitnesses ? 'it is off its peg' : 'one of the two is off its peg'
  const evidence = `1 ${nameOf(coin)} trades at ${rates}, the median of ${windowSeconds} s in ${off.every(({ isDirect }) => isDirect) ? 'their pools' : 'pools with the same tokens'}`
  return {
    warning: { code: 'off-peg', text: `${evidence}: ${meaning}. Prices here count it as ${dollars}` },
    reason: `Counts 1 ${nameOf(coin)} as ${dollars}, which trades at ${rates}`,
  }
}
