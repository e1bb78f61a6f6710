import type { Address } from '@chainboard/core'
import type { Parties } from './findParties.ts'
import type { Link } from './joinOrigins.ts'
import type { TradedPool } from './readTradedPools.ts'
import type { Handed } from './readTransfers.ts'
import type { UsdOf } from './readUsdOf.ts'

/** Providers are one when one handed the other this part of what the larger of them provides. */
const linkPart = 10n

/**
 * Providers of a token's pools of which one handed the other as much as matters: to join two strangers, somebody must give
 * each a tenth of its liquidity. Pure.
 */
export function joinProviders(
  token: Address,
  pools: readonly TradedPool[],
  { handed, providerOf, usdOf }: Pick<Parties, 'providerOf'> & { readonly handed: readonly Handed[]; readonly usdOf: UsdOf },
): Link[] {
  const own = pools.filter(({ token0, token1 }) => token0 === token || token1 === token)
  const provided = sumProvided(own, providerOf)
  const between = new Map<string, { readonly link: readonly [Address, Address]; usdE18: bigint }>()
  for (const one of handed) {
    if (!provided.has(one.from) || !provided.has(one.to)) continue
    const link = one.from < one.to ? ([one.from, one.to] as const) : ([one.to, one.from] as const)
    const sum = between.get(link.join()) ?? { link, usdE18: 0n }
    between.set(link.join(), sum)
    sum.usdE18 += usdOf(one)
  }
  return [...between.values()].flatMap(({ link, usdE18 }) => {
    const [a = 0n, b = 0n] = link.map((provider) => provided.get(provider))
    const larger = a > b ? a : b
    return larger > 0n && usdE18 * linkPart >= larger ? [link] : []
  })
}

/**
 * US dollars x 10^18 that each provider brought, of each position the part that is still there: what was taken out at another price says
 * nothing about what is left.
 */
export function sumProvided(
  pools: readonly Pick<TradedPool, 'changes'>[],
  providerOf: Parties['providerOf'],
): ReadonlyMap<Address, bigint> {
  const positions = new Map<string, { readonly provider: Address; made: bigint; left: bigint; usdE18: bigint }>()
  pools.forEach(({ changes }, pool) => {
    for (const change of changes) {
      const [provider, { owner, tickLower, tickUpper, delta, usdE18 }] = [providerOf(change), change]
      if (!provider) continue
      const key = `${pool} ${provider} ${owner} ${tickLower} ${tickUpper}`
      const position = positions.get(key) ?? { provider, made: 0n, left: 0n, usdE18: 0n }
      positions.set(key, position)
      position.left += delta
      if (delta <= 0n) continue
      position.made += delta
      position.usdE18 += usdE18
    }
  })
  const provided = new Map<Address, bigint>()
  for (const { provider, made, left, usdE18 } of positions.values())
    if (left > 0n) provided.set(provider, (provided.get(provider) ?? 0n) + (usdE18 * left) / made)
  return provided
}
