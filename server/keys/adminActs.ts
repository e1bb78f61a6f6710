import { randomBytes } from 'node:crypto'
import type { Address } from '@chainboard/core'
import { type AdminAct, insertAdminAct } from '../store/adminActs.ts'
import type { Tx } from '../store/store.ts'

let lastMs = 0
let countInMs = 0

/** What an operator did, kept in the transaction that does it. */
export async function recordAct(
  tx: Tx,
  wallet: Address,
  act: Pick<AdminAct, 'act'> & Partial<Pick<AdminAct, 'keyId' | 'from' | 'to'>>,
  nowMs: number,
): Promise<void> {
  const { keyId, from = {}, to = {} } = act
  await insertAdminAct(tx, { id: makeActId(nowMs), atSeconds: Math.floor(nowMs / 1000), wallet, act: act.act, keyId, from, to })
}

/** Sorts by time, also within a millisecond of this server. */
function makeActId(nowMs: number): string {
  countInMs = nowMs === lastMs ? countInMs + 1 : 0
  lastMs = nowMs
  return nowMs.toString(36).padStart(9, '0') + countInMs.toString(36).padStart(3, '0') + randomBytes(4).toString('hex')
}
