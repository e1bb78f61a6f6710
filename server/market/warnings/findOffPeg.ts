import { type Address, e18ToNumber, formatPrice, toDisplayText, type WireWarning } from '@chainboard/core'
import { isOff, listRates, type PegRates, type Rate } from './pegRates.ts'

export type PegRequest = PegRates & {
  readonly symbols: ReadonlyMap<Address, string>
  /** Of the medians in `pools`. */
  readonly windowSeconds: number
}

/** A stable coin that is not worth what others are: the warning about it, and what it means for a price that counts it as a dollar. */
export type OffPeg = { readonly warning: WireWarning; readonly reason: string }

/**
 * The stable coins that are off against most of the others that they are held against: by the medians of established pools over the
 * depth floor, as {@link listRates} finds them. Of a coin without such a pool nothing is known. Pure.
 */
export function findOffPeg(request: PegRequest): ReadonlyMap<Address, OffPeg> {
  const found = new Map<Address, OffPeg>()
  for (const coin of request.stables) {
    const rates = listRates(coin, request)
    const off = rates.filter((rate) => isOff(rate.rateE18, rate))
    if (off.length * 2 > rates.length) found.set(coin, describe(coin, off, rates.length > 1, request))
  }
  return found
}

function describe(coin: Address, off: readonly Rate[], hasWitnesses: boolean, { symbols, windowSeconds }: PegRequest): OffPeg {
  const nameOf = (address: Address) => toDisplayText(symbols.get(address) ?? '', 'the coin', 16)
  const rates = off.map(({ quote, rateE18 }) => `${formatPrice(e18ToNumber(rateE18))} ${nameOf(quote)}`).join(' and ')
  const meaning = hasWitnesses ? 'it is off its peg' : 'one of the two is off its peg'
  const evidence = `1 ${nameOf(coin)} trades at ${rates}, the median of ${windowSeconds} s in ${off.every(({ isDirect }) => isDirect) ? 'their pools' : 'pools with the same tokens'}`
  return {
    warning: { code: 'off-peg', text: `${evidence}: ${meaning}. Prices here count it as $1` },
    reason: `Counts 1 ${nameOf(coin)} as $1, which trades at ${rates}`,
  }
}
