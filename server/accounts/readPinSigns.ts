import { isDeviceOf, listBrowserOwners } from '../store/devices.ts'
import { findSessionUser } from '../store/sessions.ts'
import { isSignInCodeOf } from '../store/signInCodes.ts'
import type { AccountParts } from './accountParts.ts'
import type { PinAttempt, PinSigns } from './findPinLane.ts'
import { browserSeconds, networkSeconds } from './lifetimes.ts'
import { hashSignInCode, hashToken } from './secretTokens.ts'

/**
 * Reads all that speaks for an attempt. The same is read whatever is found, and for a name that nobody has: how long it takes says
 * nothing of either.
 */
export async function readPinSigns(
  { store, keyedHash, nowSeconds }: Pick<AccountParts, 'store' | 'keyedHash' | 'nowSeconds'>,
  { user, visitor, code }: PinAttempt,
): Promise<PinSigns> {
  const now = nowSeconds()
  const userId = user?.id ?? ''
  const codeHash = code === undefined ? undefined : hashSignInCode(code)
  const hasCode = codeHash !== undefined && (await isSignInCodeOf(store.read, { codeHash, userId }, now))
  const owners = await listBrowserOwners(store.read, visitor.browserTokens.map(hashToken), now - browserSeconds)
  const session = visitor.sessionToken && (await findSessionUser(store.read, hashToken(visitor.sessionToken), now))
  const network = { userId, kind: 'network', hash: keyedHash('client', visitor.client) } as const
  const wasHere = await isDeviceOf(store.read, network, now - networkSeconds)
  return {
    codeHash: hasCode ? codeHash : undefined,
    browserHash: [...owners].find(([, ownerId]) => ownerId === userId)?.[0],
    hasSession: session ? session.id === userId : false,
    isKnownNetwork: wasHere && !visitor.isRelayed,
  }
}
