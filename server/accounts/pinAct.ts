import { Failure } from '@chainboard/core'
import type { Tx } from '../store/store.ts'
import { findUserById, lockUserOfPin, type User } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { checkPin } from './checkPin.ts'
import { parsePin } from './parsePin.ts'
import type { Visitor } from './visitor.ts'

/** What somebody signed in wants done, and the PIN typed for it. */
export type PinAct = { readonly user: User; readonly pin: unknown; readonly visitor: Visitor }

/** @throws Failure `request-invalid` for what is no PIN, and as `checkPin` does */
export async function provePin(parts: AccountParts, { user, pin, visitor }: PinAct): Promise<void> {
  await checkPin(parts, { key: user.key, user, pin: parsePin(pin, 'PIN required'), visitor, code: undefined })
}

/**
 * One change of an account, whole or not at all; changes of one account come one after the other. What was proved by a PIN, or asked for
 * in a session, that a new PIN has ended meanwhile changes nothing any more.
 * @throws Failure `not-signed-in` when the account is gone, `conflict` when it has another PIN than `user`
 */
export function changeUser<T>({ store }: Pick<AccountParts, 'store'>, user: User, work: (tx: Tx) => Promise<T>): Promise<T> {
  return store.write(async (tx) => {
    if (await lockUserOfPin(tx, user)) return work(tx)
    if (await findUserById(tx, user.id)) throw new Failure('conflict', 'The PIN was changed in the meantime. Log in again')
    throw new Failure('not-signed-in', 'Please log in')
  })
}
