import { trimAdminActs } from '../store/adminActs.ts'
import { deleteOldNetworks } from '../store/adminPlaces.ts'
import { deleteEndedAdminSessions } from '../store/adminSessions.ts'
import type { Store } from '../store/store.ts'
import { toLively } from './createOperators.ts'

/** Entries of the audit log that are kept. The database refuses to remove one of these: `store/migrations/0029-operators.ts`. */
export const actsMax = 100_000
const networkSeconds = 90 * 86_400

/** Removes sessions that are over, networks that were not seen for long, and the oldest entries of the audit log. */
export async function sweepOperators({
  store,
  nowMs,
}: {
  readonly store: Pick<Store, 'write'>
  readonly nowMs: () => number
}): Promise<void> {
  await store.write((tx) => deleteEndedAdminSessions(tx, toLively({ nowMs })))
  await store.write((tx) => deleteOldNetworks(tx, Math.floor(nowMs() / 1000) - networkSeconds))
  await store.write((tx) => trimAdminActs(tx, actsMax))
}
