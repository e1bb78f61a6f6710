import type { WireWarning } from '@chainboard/contract'
import { type Address, e18ToNumber, formatMoney, parseAddress, shortenAddress } from '@chainboard/core'
import type { TokenMarket } from '../tokenMarket.ts'
import type { PoolOwner } from './findOwners.ts'
import { wholePart } from './weighSwaps.ts'

/** A provider with more than this part of what sets a price is named, in percent. */
const shownPercent = 80n

/** Of one provider who owns nearly all of the depth behind a price: such a price lasts only as long as that provider stays. Pure. */
export function warnOfOwner({ quote }: Pick<TokenMarket, 'quote'>, owners: ReadonlyMap<Address, PoolOwner>): WireWarning[] {
  const pools = quote?.steps[0]?.pools ?? []
  const depth = pools.reduce((sum, { weightUsdE18 }) => sum + weightUsdE18, 0n)
  const owned = new Map<string, { usdE18: bigint; readonly provider: string }>()
  for (const { pool, weightUsdE18 } of pools.toSorted((a, b) => (a.weightUsdE18 > b.weightUsdE18 ? -1 : 1))) {
    const owner = owners.get(pool)
    if (!owner) continue
    // Named by the pool that weighs most.
    const one = owned.get(owner.group) ?? { usdE18: 0n, provider: owner.provider }
    owned.set(owner.group, one)
    one.usdE18 += (weightUsdE18 * owner.millionths) / wholePart
  }
  const found = [...owned.values()].find(({ usdE18 }) => 100n * usdE18 > shownPercent * depth)
  if (!found) return []
  const { usdE18, provider } = found
  const [own, all] = [usdE18, depth].map((usd) => formatMoney(e18ToNumber(usd)))
  const share = `${(100n * usdE18) / depth} % of the liquidity near the price (${own} of ${all} of depth)`
  const name = shortenAddress(parseAddress(provider) ?? provider)
  return [
    {
      code: 'one-provider',
      text: `One provider, ${name}, owns ${share} in the pools that set the price, and can withdraw it at any time`,
    },
  ]
}
