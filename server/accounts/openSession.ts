import { Failure } from '@chainboard/core'
import { keepDevice } from '../store/devices.ts'
import { deleteSession, insertSession, trimSessions } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { lockUser, type User } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { addNotice } from './addNotice.ts'
import { keepBrowser } from './keepBrowser.ts'
import { sessionSeconds } from './lifetimes.ts'
import { hashToken, makeToken } from './secretTokens.ts'
import type { Visitor } from './visitor.ts'

/** A browser that is signed in from now on, and what its two cookies are to hold. */
export type SignedIn = { readonly user: User; readonly sessionToken: string; readonly browserTokens: readonly string[] }

const sessionsMax = 20
/** Browsers, and networks, that are remembered of a user. */
const devicesMax = 10

/** Who is signed in. `isFirst`: with the registration. `nowSeconds`: absent where the second does not have to be that of something else. */
export type Opening = {
  readonly user: User
  readonly visitor: Visitor
  readonly isFirst?: boolean
  readonly nowSeconds?: number
}

/** The session before it, if the browser had one, ends. The user's other sessions are told of a browser that is new. */
export async function openSession(parts: AccountParts, tx: Tx, opening: Opening): Promise<SignedIn> {
  const { user, visitor, isFirst = false, nowSeconds = parts.nowSeconds() } = opening
  const { browserName = '' } = visitor
  const sessionToken = makeToken()
  const tokenHash = hashToken(sessionToken)
  const at = { seconds: nowSeconds, keep: devicesMax, name: browserName }
  const { tokens, isNew } = await keepBrowser(tx, user, visitor.browserTokens, at)
  if (visitor.sessionToken) await deleteSession(tx, hashToken(visitor.sessionToken))
  await insertSession(tx, {
    ...{ tokenHash, userId: user.id, browserName, browserHash: tokens[0] && hashToken(tokens[0]) },
    ...{ startedAtSeconds: nowSeconds, expiresAtSeconds: nowSeconds + sessionSeconds },
  })
  await trimSessions(tx, user.id, sessionsMax)
  if (!visitor.isRelayed)
    await keepDevice(tx, { userId: user.id, kind: 'network', hash: parts.keyedHash('client', visitor.client) }, at)
  if (isNew && !isFirst) await addNotice(tx, { user, kind: 'signIn', browserName, sessionHash: tokenHash, nowSeconds })
  return { user, sessionToken, browserTokens: tokens }
}

/**
 * The way in for a caller who has proved to be the owner by what strangers cannot guess: a passkey, a linked wallet, a recovery code.
 * No PIN is asked for and none is counted, so that nobody's wrong PINs make him wait. Who calls this has checked the proof.
 * @throws Failure `not-signed-in` when the account is gone
 */
export function signInProvenOwner(parts: AccountParts, opening: Opening): Promise<SignedIn> {
  return parts.store.write(async (tx) => {
    if (!(await lockUser(tx, opening.user.id))) throw new Failure('not-signed-in', 'Please log in')
    return openSession(parts, tx, opening)
  })
}
