import { daySeconds, Failure } from '@chainboard/core'
import { type AccountNotice, deleteAccountNotice, listAccountNotices } from '../store/accountNotices.ts'
import type { AccountNoticesTable } from '../store/accountSchema.ts'
import { deleteDevice, deleteOtherDevices, listBrowsers } from '../store/devices.ts'
import { countRecoveryCodes } from '../store/recoveryCodes.ts'
import { deleteOtherSessions, deleteSession, listSessions } from '../store/sessions.ts'
import type { User } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { browserSeconds } from './lifetimes.ts'
import { changeUser } from './pinAct.ts'
import { hashToken } from './secretTokens.ts'
import type { Visitor } from './visitor.ts'

/** A browser that is signed in, or that the user was signed in with before and is still known in. */
export type Place = {
  /** Says nothing of the session: a hash of its hash. */
  readonly id: string
  /** `Firefox on Linux`; empty when it was not said. */
  readonly browserName: string
  readonly atSeconds: number
  readonly isSignedIn: boolean
  readonly isCurrent: boolean
}

/** What the owner sees of how the account is guarded. */
export type Security = {
  readonly places: readonly Place[]
  readonly recoveryCodes: number
  readonly notices: readonly {
    readonly id: string
    readonly kind: AccountNoticesTable['kind']
    readonly browserName: string
    readonly atSeconds: number
  }[]
}

/** The owner, in the session that asks. */
export type OwnSession = { readonly user: User; readonly visitor: Visitor }

const hashOf = ({ sessionToken }: Visitor) => (sessionToken === undefined ? '' : hashToken(sessionToken))
const idLength = 32
/** For so long a notice stays for those who were logged in before it. */
const youngSeconds = 7 * daySeconds
const toId = (hash: string) => hashToken(hash).slice(0, idLength)

/** Where the user is logged in, what happened to the account, and how many recovery codes are left. */
export async function readSecurity(parts: AccountParts, { user, visitor }: OwnSession): Promise<Security> {
  const { read } = parts.store
  const current = hashOf(visitor)
  const [sessions, browsers] = [await listSessions(read, user.id, parts.nowSeconds()), await listKnown(parts, user)]
  const open = new Set(sessions.map(({ browserHash }) => browserHash))
  const signedIn = sessions.map(({ tokenHash, browserName, startedAtSeconds }) => ({
    ...{ id: toId(tokenHash), browserName, atSeconds: startedAtSeconds },
    ...{ isSignedIn: true, isCurrent: tokenHash === current },
  }))
  const known = browsers
    .filter(({ hash }) => !open.has(hash))
    .map(({ hash, name, seenAtSeconds }) => ({
      ...{ id: toId(hash), browserName: name, atSeconds: seenAtSeconds },
      ...{ isSignedIn: false, isCurrent: false },
    }))
  const notices = await listAccountNotices(read, user.id, current)
  return {
    // This one first, then the newest.
    places: [...signedIn, ...known].sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.atSeconds - a.atSeconds),
    recoveryCodes: await countRecoveryCodes(read, user.id),
    notices: notices.map(({ id, kind, browserName, atSeconds }) => ({ id, kind, browserName, atSeconds })),
  }
}

/** Ends a session and forgets its browser, or forgets a browser that is signed out. @throws Failure `not-found` when it is not this user's */
export async function endPlace(parts: AccountParts, { user }: OwnSession, id: string): Promise<void> {
  await changeUser(parts, user, async (tx) => {
    const session = (await listSessions(tx, user.id, parts.nowSeconds())).find(({ tokenHash }) => toId(tokenHash) === id)
    const browser = (await listKnown(parts, user, tx)).find(({ hash }) => toId(hash) === id)
    if (!session && !browser) throw new Failure('not-found', 'This device is no longer logged in')
    if (session) await deleteSession(tx, session.tokenHash)
    const hash = session ? session.browserHash : browser?.hash
    if (hash !== undefined) await deleteDevice(tx, { userId: user.id, kind: 'browser', hash })
  })
}

/** Ends all sessions but this one, and forgets all browsers and networks but its own. */
export async function endOtherPlaces(parts: AccountParts, { user, visitor }: OwnSession): Promise<void> {
  const current = hashOf(visitor)
  await changeUser(parts, user, async (tx) => {
    const own = (await listSessions(tx, user.id, parts.nowSeconds())).find(({ tokenHash }) => tokenHash === current)
    await deleteOtherSessions(tx, user.id, current)
    const kept = [own?.browserHash, parts.keyedHash('client', visitor.client)]
    await deleteOtherDevices(
      tx,
      user.id,
      kept.filter((hash) => hash !== undefined),
    )
  })
}

/**
 * Removes a notice that the owner has seen. The session that caused it cannot remove it. For a week, others must be older than the notice, and
 * older than every login from a new browser whose notice is still there. So a thief cannot hide with one session what another did.
 * @throws Failure `not-found`; `forbidden` for such a session
 */
export async function dismissNotice(parts: AccountParts, { user, visitor }: OwnSession, id: string): Promise<void> {
  const sessionHash = hashOf(visitor)
  const nowSeconds = parts.nowSeconds()
  await parts.store.write(async (tx) => {
    const notices = await listAccountNotices(tx, user.id, '')
    const notice = notices.find((each) => each.id === id && each.sessionHash !== sessionHash)
    if (!notice) throw new Failure('not-found', 'This notice no longer exists')
    const own = (await listSessions(tx, user.id, nowSeconds)).find(({ tokenHash }) => tokenHash === sessionHash)
    const isYoung = ({ atSeconds }: AccountNotice) => nowSeconds - atSeconds < youngSeconds
    const logins = notices.filter((each) => each.kind === 'signIn' && isYoung(each))
    const doubtedSeconds = Math.min(notice.atSeconds, ...logins.map(({ atSeconds }) => atSeconds))
    // Of the second of a notice, only the session that the account was made with was there for certain.
    const wasThere =
      own !== undefined && (own.startedAtSeconds < doubtedSeconds || own.startedAtSeconds === user.createdAtSeconds)
    if (!wasThere && isYoung(notice))
      throw new Failure('forbidden', 'This device logged in too recently: remove the notice on an older one, or in a week')
    await deleteAccountNotice(tx, id)
  })
}

function listKnown(parts: AccountParts, user: User, db: Parameters<typeof listBrowsers>[0] = parts.store.read) {
  return listBrowsers(db, user.id, parts.nowSeconds() - browserSeconds)
}
