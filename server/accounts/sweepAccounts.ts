import { daySeconds } from '@chainboard/core'
import { deleteOldAccountNotices } from '../store/accountNotices.ts'
import { deleteEmptyPinCounters } from '../store/pinFailures.ts'
import { deleteEndedSessions } from '../store/sessions.ts'
import { deleteEndedSignInCodes } from '../store/signInCodes.ts'
import type { AccountParts } from './accountParts.ts'
import { keyOldRecoveryCodes } from './recoveryHash.ts'

/** Counters that one transaction removes, so that it holds nobody up; and transactions of one sweep. */
const countersMax = 500
const roundsMax = 100
/** What happened to an account is told for so long. */
const noticeSeconds = 90 * daySeconds

/** Removes what has ended and means nothing any more, and stores better what earlier versions stored. */
export async function sweepAccounts(parts: Pick<AccountParts, 'store' | 'keyedHash' | 'nowSeconds'>): Promise<void> {
  const { store, nowSeconds } = parts
  await store.write((tx) => deleteEndedSessions(tx, nowSeconds()))
  await store.write((tx) => deleteEndedSignInCodes(tx, nowSeconds()))
  await store.write((tx) => deleteOldAccountNotices(tx, nowSeconds() - noticeSeconds))
  for (let round = 0; round < roundsMax; round += 1) {
    if ((await store.write((tx) => deleteEmptyPinCounters(tx, nowSeconds(), countersMax))) < countersMax) break
  }
  await keyOldRecoveryCodes(parts)
}
