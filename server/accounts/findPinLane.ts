import { isDeviceOf, listBrowserOwners } from '../store/devices.ts'
import { findSessionUser } from '../store/sessions.ts'
import { isSignInCodeOf } from '../store/signInCodes.ts'
import type { User } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { browserSeconds, networkSeconds } from './lifetimes.ts'
import { type PinLimit, pinRules } from './pinGuard.ts'
import { hashSignInCode, hashToken } from './secretTokens.ts'
import type { Visitor } from './visitor.ts'

/** One try of a PIN on a name, whoever is behind it; `user` is undefined when nobody is called that. */
export type PinAttempt = {
  readonly key: string
  readonly user: User | undefined
  readonly pin: string
  readonly visitor: Visitor
  readonly code: string | undefined
}

/** What an attempt counts against. Whom something speaks for is counted apart, where strangers cannot reach. */
export type PinLane = { readonly caller: 'known' | 'stranger'; readonly limits: readonly PinLimit[] }

/** Names that nobody has share so many counters, so that making names up fills no table. The same for strangers' addresses. */
const nobodyBuckets = 2 ** 16
const clientBuckets = 2 ** 20

/**
 * The strongest of what speaks for an attempt: a sign-in code, a browser or a network that this user signed in from. Asks the
 * same of the database for a name that nobody has.
 */
export async function findPinLane(parts: AccountParts, attempt: PinAttempt): Promise<PinLane> {
  const { store, keyedHash } = parts
  const nowSeconds = parts.nowSeconds()
  const { user, visitor, code, pin, key } = attempt
  const userId = user?.id ?? ''
  const client = keyedHash('client', visitor.client)
  if (code !== undefined) {
    const codeHash = hashSignInCode(code)
    if (await isSignInCodeOf(store.read, { codeHash, userId }, nowSeconds))
      return { caller: 'known', limits: [{ subject: `code:${codeHash}`, rule: pinRules.code }] }
  }
  const owners = await listBrowserOwners(store.read, visitor.browserTokens.map(hashToken), nowSeconds - browserSeconds)
  const browser = [...owners].find(([, ownerId]) => ownerId === userId)?.[0]
  if (browser) return { caller: 'known', limits: listBrowserLimits(`${userId}:${browser}`) }
  const session = visitor.sessionToken && hashToken(visitor.sessionToken)
  if (session && (await findSessionUser(store.read, session, nowSeconds))?.id === userId)
    // All sessions of a user together: each sign-in makes a new one.
    return { caller: 'known', limits: listBrowserLimits(`${userId}:session`) }
  const network = { userId, kind: 'network', hash: client } as const
  const isKnown = await isDeviceOf(store.read, network, nowSeconds - networkSeconds)
  if (isKnown && !visitor.isRelayed) return { caller: 'known', limits: listNetworkLimits(parts, attempt, { userId, client }) }

  const account = user ? `account:${user.key}` : `nobody:${toBucket(keyedHash('nobody', key), nobodyBuckets)}`
  const from = `client:${toBucket(client, clientBuckets)}`
  const guess = keyedHash('guess', pin)
  // Whose PIN it was tried for is in the hash: nobody finds a user's guesses by one of his own.
  const pair = `pair:${keyedHash('guess', `${account} ${pin}`)}`
  // Names cost nothing to make up, and are mistyped: a PIN on a name that nobody has was wrong on no account.
  const isCharged = user === undefined
  const guessFrom = `${from}:${keyedHash('guess', `${from} ${pin}`)}`
  return {
    caller: 'stranger',
    limits: [
      { subject: account, rule: pinRules.account },
      { subject: from, rule: pinRules.client },
      { subject: `${from}:${account}`, rule: pinRules.clientAccount },
      { subject: pair, rule: pinRules.pair },
      { subject: guessFrom, rule: pinRules.clientGuess, unless: pair, decoy: { subject: `nobodys:${guessFrom}`, isCharged } },
      { subject: `guess:${guess}`, rule: pinRules.guess, unless: pair, decoy: { subject: `nobodysGuess:${guess}`, isCharged } },
    ],
  }
}

function listBrowserLimits(browser: string): PinLimit[] {
  return [
    { subject: `browser:${browser}`, rule: pinRules.browser },
    { subject: `browserWrong:${browser}`, rule: pinRules.browserWrong },
  ]
}

/** Apart from what strangers elsewhere count against, and for each network by itself: nobody on another one closes a PIN here. */
function listNetworkLimits(
  { keyedHash }: AccountParts,
  { pin }: PinAttempt,
  { userId, client }: { userId: string; client: string },
): PinLimit[] {
  const pair = `networkPair:${keyedHash('guess', `${client} ${userId} ${pin}`)}`
  return [
    { subject: `network:${userId}:${client}`, rule: pinRules.network },
    { subject: `networkClient:${client}`, rule: pinRules.networkClient },
    { subject: pair, rule: pinRules.pair },
    { subject: `networkGuess:${keyedHash('guess', `${client} ${pin}`)}`, rule: pinRules.guess, unless: pair },
  ]
}

function toBucket(hash: string, buckets: number): number {
  return Number.parseInt(hash.slice(0, 8), 16) % buckets
}
