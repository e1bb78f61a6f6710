import { Failure } from '@chainboard/core'
import type { Tx } from '../store/store.ts'
import { lockUser, type User } from '../store/users.ts'
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

/** One change of an account, whole or not at all; changes of one account come one after the other. @throws Failure `not-signed-in` when it is gone */
export function changeUser<T>({ store }: Pick<AccountParts, 'store'>, { id }: User, work: (tx: Tx) => Promise<T>): Promise<T> {
  return store.write(async (tx) => {
    if (!(await lockUser(tx, id))) throw new Failure('not-signed-in', 'Please log in')
    return work(tx)
  })
}
