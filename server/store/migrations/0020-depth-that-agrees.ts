import type { Migration } from 'kysely/migration'
import { markOldDollars } from './0017-held-depth.ts'

/**
 * Depth counts within 2 % of a pool's median, quotes of the network are priced in its order, a first price changes nothing of other tokens'
 * ways, and amounts are bounded by all that can be sold at their price.
 */
export function markAgreeingDepth(): Migration {
  return markOldDollars(6)
}
