import type { OperatorAlert } from '@chainboard/core'
import { countAdminActs } from '../store/adminActs.ts'
import { countAdminPlaces, keepAdminPlace } from '../store/adminPlaces.ts'
import type { AdminActName } from '../store/keySchema.ts'
import type { Tx } from '../store/store.ts'
import type { Operator } from './operator.ts'

/** So many deletions of one operator within so long are unusual. */
const deletions = { count: 5, seconds: 600 }
/** Networks, and roles, of an operator that are remembered. */
const placesMax = 50

type Parts = { readonly hashClient: (client: string) => string; readonly nowSeconds: number }

/** What is unusual about an act; notes where it came from, so that the next one from there is usual. */
export async function findAlerts(
  tx: Tx,
  { wallet, role, client }: Operator,
  act: AdminActName,
  { hashClient, nowSeconds }: Parts,
): Promise<readonly OperatorAlert[]> {
  const at = { atSeconds: nowSeconds, keep: placesMax }
  const knowsNetworks = (await countAdminPlaces(tx, { wallet, kind: 'network' })) > 0
  const isUsed = await keepAdminPlace(tx, { wallet, kind: 'role', value: role }, at)
  const isNear = await keepAdminPlace(tx, { wallet, kind: 'network', value: hashClient(client) }, at)
  const alerts: OperatorAlert[] = []
  if (!isUsed) alerts.push('first-use')
  // Every network is new to who comes for the first time.
  if (!isNear && knowsNetworks) alerts.push('new-address')
  if (act === 'delete') {
    const before = await countAdminActs(tx, { wallet, act, sinceSeconds: nowSeconds - deletions.seconds })
    if (before + 1 >= deletions.count) alerts.push('many-deletions')
  }
  return alerts
}
