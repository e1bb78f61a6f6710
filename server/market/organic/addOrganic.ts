import type { Address } from '@chainboard/core'
import { mapSteps } from '../inTurns.ts'
import type { Snapshot } from '../takeSnapshot.ts'
import type { TokenMarket } from '../tokenMarket.ts'
import type { OrganicReading } from './keepOrganic.ts'
import { warnOfOwner } from './warnOfOwner.ts'

/**
 * A snapshot with what is known of organic volume, and of who owns the depth behind prices; a step for each token. Pure. Tokens without a
 * price have no volume, and stay as they are.
 */
export function* addOrganic(snapshot: Snapshot, reading: OrganicReading | undefined): Generator<void, Snapshot> {
  if (!reading) return snapshot
  const { tokens, feeMin, owners } = reading
  const changed = new Map<Address, TokenMarket>()
  const markets = yield* mapSteps(snapshot.markets, (market) => {
    const organic = market.quote && tokens.get(market.token.id)
    const warned = warnOfOwner(market, owners)
    if (!organic && warned.length === 0) return market
    const known = { ...market, ...(organic ? { organic } : {}), warnings: [...market.warnings, ...warned] }
    changed.set(market.token.id, known)
    return known
  })
  const byToken = { get: (id: Address) => changed.get(id) ?? snapshot.byToken.get(id) }
  return { ...snapshot, markets, byToken, ...(feeMin === undefined ? {} : { feeMin }) }
}
