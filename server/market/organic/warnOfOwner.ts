import { type Address, e18ToNumber, formatMoney, parseAddress, shortenAddress, type WireWarning } from '@chainboard/core'
import type { TokenMarket } from '../takeSnapshot.ts'
import type { PoolOwner } from './findOwners.ts'
import { wholePart } from './weighSwaps.ts'

/** A provider with more than this part of what sets a price is named, in percent. */
const shownPercent = 80n

/** Of one provider who owns nearly all of the depth behind a price: such a price lasts as long as he likes. Pure. */
export function warnOfOwner({ quote }: Pick<TokenMarket, 'quote'>, owners: ReadonlyMap<Address, PoolOwner>): WireWarning[] {
  const pools = quote?.steps[0]?.pools ?? []
  const depth = pools.reduce((sum, { weightUsdE18 }) => sum + weightUsdE18, 0n)
  const owned = new Map<string, bigint>()
  for (const { pool, weightUsdE18 } of pools) {
    const { provider, millionths } = owners.get(pool) ?? { provider: '', millionths: 0n }
    owned.set(provider, (owned.get(provider) ?? 0n) + (weightUsdE18 * millionths) / wholePart)
  }
  const [provider, usdE18] = [...owned].find(([, usd]) => 100n * usd > shownPercent * depth) ?? []
  if (provider === undefined || usdE18 === undefined) return []
  const [own, all] = [usdE18, depth].map((usd) => formatMoney(e18ToNumber(usd)))
  const share = `${(100n * usdE18) / depth} % of the liquidity in range (${own} of ${all} of depth)`
  const name = shortenAddress(parseAddress(provider) ?? provider)
  return [
    {
      code: 'one-provider',
      text: `One provider, ${name}, owns ${share} in the pools that set the price, and may take it out at any time`,
    },
  ]
}
