import type { Address } from '@chainboard/core'
import type { Db } from '../../store/store.ts'
import { listTokens } from '../../store/tokens.ts'
import type { Handed } from './readTransfers.ts'

/** US dollars x 10^18 of an amount of a token. */
export type UsdOf = (handed: Pick<Handed, 'token' | 'amountRaw'>) => bigint

/**
 * What amounts of these tokens are worth, at the fair price after the last event of each token's pools: an average of trades would
 * follow those in a pool of one's own. An amount of a token without a price is worth nothing, so that it takes nothing from anybody.
 */
export async function readUsdOf(db: Db, tokens: readonly Address[]): Promise<UsdOf> {
  const prices = new Map(
    (await listTokens(db, tokens)).flatMap(({ address, decimals, priceUsdE18 }) =>
      decimals === undefined ? [] : [[address, { priceUsdE18, unit: 10n ** BigInt(decimals) }] as const],
    ),
  )
  return ({ token, amountRaw }) => {
    const price = prices.get(token)
    return price ? (amountRaw * price.priceUsdE18) / price.unit : 0n
  }
}
