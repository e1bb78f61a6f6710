import { daySeconds } from '@chainboard/core'
import { deleteOldAccountNotices } from '../store/accountNotices.ts'
import { deleteEmptyPinCounters } from '../store/pinFailures.ts'
import { deleteEndedSessions } from '../store/sessions.ts'
import { deleteEndedSignInCodes } from '../store/signInCodes.ts'
import type { AccountParts } from './accountParts.ts'

/** Counters that one transaction removes, so that it holds nobody up; and transactions of one sweep. */
const countersMax = 500
const roundsMax = 100
/** What happened to an account is told for so long. */
const noticeSeconds = 90 * daySeconds

/** Removes what has ended and means nothing any more. */
export async function sweepAccounts({ store, nowSeconds }: Pick<AccountParts, 'store' | 'nowSeconds'>): Promise<void> {
  await store.write((tx) => deleteEndedSessions(tx, nowSeconds()))
  await store.write((tx) => deleteEndedSignInCodes(tx, nowSeconds()))
  await store.write((tx) => deleteOldAccountNotices(tx, nowSeconds() - noticeSeconds))
  for (let round = 0; round < roundsMax; round += 1) {
    if ((await store.write((tx) => deleteEmptyPinCounters(tx, nowSeconds(), countersMax))) < countersMax) return
  }
}
