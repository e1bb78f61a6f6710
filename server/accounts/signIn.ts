import { randomUUID } from 'node:crypto'
import { Failure, toNameSkeleton } from '@chainboard/core'
import { changeTotals } from '../store/accountTotals.ts'
import { changeNameSkeleton } from '../store/nameSkeletons.ts'
import { changeRegistrations } from '../store/registrationDays.ts'
import { deleteSignInCode, isSignInCodeOf } from '../store/signInCodes.ts'
import { findUser, insertUser, lockUserOfPin, type User } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { askForBetterPin } from './addNotice.ts'
import { checkPin } from './checkPin.ts'
import { dayOf } from './dayOf.ts'
import { openSession, type SignedIn } from './openSession.ts'
import { parseNewPin, parsePin } from './parsePin.ts'
import { findUsername, parseUsername } from './parseUsername.ts'
import { hashSignInCode } from './secretTokens.ts'
import type { Visitor } from './visitor.ts'

/**
 * Makes an account and signs its browser in.
 * @throws Failure `request-invalid` with the text for the form; `conflict` when the name is taken, or looks like one that is; `busy`
 */
export async function register(
  parts: AccountParts,
  { username: typedName, pin: typedPin, visitor }: { username: unknown; pin: unknown; visitor: Visitor },
): Promise<SignedIn> {
  const { store, hasher, queue } = parts
  const { username, key } = parseUsername(typedName)
  const pin = parseNewPin(typedPin, username)
  const taken = new Failure('conflict', 'Username is already taken')
  if (await findUser(store.read, key)) throw taken
  const caller = { kind: 'unrecognized', subject: key, client: visitor.client, gone: visitor.gone } as const
  const pinHash = await queue.run(caller, () => hasher.hash(pin))
  const createdAtSeconds = parts.nowSeconds()
  const user: User = { id: randomUUID(), key, username, pinHash, createdAtSeconds }
  return store.write(async (tx) => {
    if (!(await insertUser(tx, user))) throw taken
    if ((await changeNameSkeleton(tx, toNameSkeleton(username), 1)) > 1)
      throw new Failure('conflict', 'Username looks like one that is already taken')
    // Of one second: `dismissNotice` knows the session of the registration by it.
    const signedIn = await openSession(parts, tx, { user, visitor, isFirst: true, nowSeconds: createdAtSeconds })
    await changeRegistrations(tx, dayOf(createdAtSeconds), 1)
    await changeTotals(tx, { users: 1 })
    return signedIn
  })
}

/**
 * Checks a PIN and signs the browser in.
 * @throws Failure as `checkPin` does; a name that nobody has or can have answers like a wrong PIN
 */
export async function signIn(
  parts: AccountParts,
  { name, pin: typedPin, code, visitor }: { name: string; pin: unknown; code: string | undefined; visitor: Visitor },
): Promise<SignedIn> {
  const pin = parsePin(typedPin)
  // Before the database is asked anything: a crowd that is sent away costs next to nothing.
  parts.queue.requireRoom(visitor.client)
  // PostgreSQL takes no NUL, also not to say that nobody is called so.
  const key = findUsername(name)?.key ?? name.replaceAll('\0', '\u2400')
  const found = await findUser(parts.store.read, key)
  const brought = found && code !== undefined ? { codeHash: hashSignInCode(code), userId: found.id } : undefined
  const isGood = brought !== undefined && (await isSignInCodeOf(parts.store.read, brought, parts.nowSeconds()))
  const user = await checkPin(parts, { key, user: found, pin, visitor, code })
  return parts.store.write(async (tx) => {
    // Deleted since its PIN was checked, or given another one, which ends all that the old one opens.
    if (!(await lockUserOfPin(tx, user))) throw new Failure('pin-invalid', 'Invalid PIN')
    // Another sign-in has used it up since it spoke for this one.
    if (brought && !(await deleteSignInCode(tx, brought)) && isGood) throw new Failure('pin-invalid', 'Invalid PIN')
    await askForBetterPin(tx, { user, pin, nowSeconds: parts.nowSeconds() })
    return openSession(parts, tx, { user, visitor })
  })
}
