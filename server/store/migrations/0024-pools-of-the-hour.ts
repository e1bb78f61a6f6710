import type { Migration } from 'kysely/migration'
import { markOldDollars } from './0017-held-depth.ts'

/** A pool that was opened within the hour, between two tokens that are no quotes of the network, prices no token that has further pools. */
export function markPoolsOfTheHour(): Migration {
  return markOldDollars(7)
}
