import {
  type Address,
  absolute,
  e18ToNumber,
  formatPrice,
  hopPrice,
  oneE18,
  type RoutePool,
  timesFraction,
  toDisplayText,
  toHop,
  type WireWarning,
  weightedMedian,
} from '@chainboard/core'

/** Parts of 10,000 that a stable coin may be off. */
const offMax = 100n

export type PegRequest = {
  readonly stables: readonly Address[]
  readonly pools: readonly RoutePool[]
  readonly decimals: ReadonlyMap<Address, number>
  readonly symbols: ReadonlyMap<Address, string>
  readonly depthFloorUsdE18: bigint
  /** Of the medians in `pools`. */
  readonly windowSeconds: number
}

/** A stable coin that is not worth what others are: the warning about it, and what it means for a price that counts it as a dollar. */
export type OffPeg = { readonly warning: WireWarning; readonly reason: string }

/** What a whole stable coin is worth in another one, x 10^18. */
type Rate = { readonly quote: Address; readonly rateE18: bigint }

/**
 * The stable coins that are more than 1 % off against most of the others that they trade with, by the medians of established pools
 * over the depth floor. Of a coin without such a pool nothing is known. Pure.
 */
export function findOffPeg(request: PegRequest): ReadonlyMap<Address, OffPeg> {
  const found = new Map<Address, OffPeg>()
  for (const coin of request.stables) {
    const rates = listRates(coin, request)
    const off = rates.filter(({ rateE18 }) => absolute(rateE18 - oneE18) * 10_000n > oneE18 * offMax)
    if (off.length * 2 > rates.length) found.set(coin, describe(coin, off, rates.length > 1, request))
  }
  return found
}

function listRates(coin: Address, { stables, pools, decimals, depthFloorUsdE18 }: PegRequest): Rate[] {
  return stables.flatMap((quote): Rate[] => {
    if (quote === coin) return []
    const offers = pools.flatMap((pool) => {
      const isPair = (pool.token0 === coin && pool.token1 === quote) || (pool.token0 === quote && pool.token1 === coin)
      const hop = isPair && pool.isEstablished ? toHop(pool, quote, oneE18, decimals) : undefined
      if (!hop || hop.depthUsdE18 < depthFloorUsdE18 || hop.depthUsdE18 === 0n) return []
      return [{ value: timesFraction(oneE18, hopPrice(hop, pool.window.sqrtPriceX96)), weight: hop.depthUsdE18 }]
    })
    return offers.length === 0 ? [] : [{ quote, rateE18: weightedMedian(offers) }]
  })
}

function describe(coin: Address, off: readonly Rate[], hasWitnesses: boolean, { symbols, windowSeconds }: PegRequest): OffPeg {
  const nameOf = (address: Address) => toDisplayText(symbols.get(address) ?? '', 'the coin', 16)
  const rates = off.map(({ quote, rateE18 }) => `${formatPrice(e18ToNumber(rateE18))} ${nameOf(quote)}`).join(' and ')
  const meaning = hasWitnesses ? 'it is off its peg' : 'one of the two is off its peg'
  const evidence = `1 ${nameOf(coin)} trades at ${rates}, the median of ${windowSeconds} s in their pools`
  return {
    warning: { code: 'off-peg', text: `${evidence}: ${meaning}. Prices here count it as $1` },
    reason: `Counts 1 ${nameOf(coin)} as $1, which trades at ${rates}`,
  }
}
