import type { Migration } from 'kysely/migration'
import { markOldDollars } from './0017-held-depth.ts'

/**
 * A pool in motion weighs what lasted in it, a pool that was just made prices only what has no other price, and quotes of the network are
 * priced before all other tokens.
 */
export function markDepthInMotion(): Migration {
  return markOldDollars(5)
}
