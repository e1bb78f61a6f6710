import { randomUUID } from 'node:crypto'
import { findPinFlaw } from '@chainboard/core'
import { type AccountNotice, deleteAccountNoticesOf, insertAccountNotice, listAccountNotices } from '../store/accountNotices.ts'
import type { Tx } from '../store/store.ts'
import type { User } from '../store/users.ts'

/** The oldest and the newest of each kind of one user that are kept: what a thief brings about afterwards hides nothing. */
const noticesKept = 50

type Event = Pick<AccountNotice, 'kind' | 'browserName' | 'sessionHash'> & { readonly user: User; readonly nowSeconds: number }

/** Something happened to an account: its owner sees it in every session but the one that did it. */
export function addNotice(tx: Tx, { user, kind, browserName, sessionHash, nowSeconds }: Event): Promise<void> {
  const notice = { id: randomUUID(), userId: user.id, atSeconds: nowSeconds, kind, browserName, sessionHash }
  return insertAccountNotice(tx, notice, noticesKept)
}

/** Whose session brought about what no session did. */
const noSession = 'none'

/** Asks a user for another PIN who signs in with one that no new account may have, until it is changed. */
export async function askForBetterPin(
  tx: Tx,
  { user, pin, nowSeconds }: { readonly user: User; readonly pin: string; readonly nowSeconds: number },
): Promise<void> {
  if (findPinFlaw(pin, user.key) === undefined) return
  const notices = await listAccountNotices(tx, user.id, '')
  if (notices.some(({ kind }) => kind === 'easyPin')) return
  await addNotice(tx, { user, kind: 'easyPin', browserName: '', sessionHash: noSession, nowSeconds })
}

/** The user has another PIN now. */
export function endAskForBetterPin(tx: Tx, { id }: User): Promise<void> {
  return deleteAccountNoticesOf(tx, id, 'easyPin')
}
