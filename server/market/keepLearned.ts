import type { Address, WarningCode } from '@chainboard/core'
import { mapSteps } from './inTurns.ts'
import type { Snapshot } from './takeSnapshot.ts'
import type { TokenMarket } from './tokenMarket.ts'

/** What is learned by watching a token for minutes. The other warnings are recomputed with each snapshot. */
const learnedCodes: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'cannot-sell',
  'sell-tax',
  'pool-short',
  'supply-contradicts',
  'supply-changed',
  'decimals-changed',
  'one-provider',
])

/**
 * A snapshot with what the leader before had learned and this one has not yet: warnings, and what of the volume is organic;
 * a step for each token. Pure. A warning that is no longer true stays as long as this is done, which is the safer mistake.
 */
export function* keepLearned(snapshot: Snapshot, before: Pick<Snapshot, 'byToken' | 'feeMin'>): Generator<void, Snapshot> {
  const changed = new Map<Address, TokenMarket>()
  const markets = yield* mapSteps(snapshot.markets, (market) => {
    const last = before.byToken.get(market.token.id)
    if (!last) return market
    const has = (code: WarningCode) => market.warnings.some((warning) => warning.code === code)
    const warnings = last.warnings.filter(({ code }) => learnedCodes.has(code) && !has(code))
    const organic = market.quote && !market.organic ? last.organic : undefined
    if (warnings.length === 0 && !organic) return market
    const known = { ...market, ...(organic ? { organic } : {}), warnings: [...market.warnings, ...warnings] }
    changed.set(market.token.id, known)
    return known
  })
  const feeMin = snapshot.feeMin ?? before.feeMin
  const byToken = { get: (id: Address) => changed.get(id) ?? snapshot.byToken.get(id) }
  return { ...snapshot, markets, byToken, ...(feeMin === undefined ? {} : { feeMin }) }
}
