import { randomUUID } from 'node:crypto'
import { type AccountNotice, insertAccountNotice } from '../store/accountNotices.ts'
import type { Tx } from '../store/store.ts'
import type { User } from '../store/users.ts'

/** Of one user: more are not read. */
const noticesMax = 20

type Event = Pick<AccountNotice, 'kind' | 'browserName' | 'sessionHash'> & { readonly user: User; readonly nowSeconds: number }

/** Something happened to an account: its owner sees it in every session but the one that did it. */
export function addNotice(tx: Tx, { user, kind, browserName, sessionHash, nowSeconds }: Event): Promise<void> {
  const notice = { id: randomUUID(), userId: user.id, atSeconds: nowSeconds, kind, browserName, sessionHash }
  return insertAccountNotice(tx, notice, noticesMax)
}
