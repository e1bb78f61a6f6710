import { findPinFlaw } from '@chainboard/core'
import type { User } from '../store/users.ts'
import type { KeyedHash } from './keyedHash.ts'
import { type PinLimit, pinRules } from './pinGuard.ts'
import type { Visitor } from './visitor.ts'

/** One try of a PIN on a username, by any caller; `user` is undefined when no account has that name. */
export type PinAttempt = {
  readonly key: string
  readonly user: User | undefined
  readonly pin: string
  readonly visitor: Visitor
  readonly code: string | undefined
}

/** What speaks for an attempt: that its user has made this code, or has signed in from here. */
export type PinSigns = {
  /** Of the code that came with it, if that is this user's and has not ended. */
  readonly codeHash: string | undefined
  /** Of the browser's token that is this user's. */
  readonly browserHash: string | undefined
  readonly hasSession: boolean
  /** Never of a client that stands for others, too. */
  readonly isKnownNetwork: boolean
}

/** What an attempt counts against. Whom something speaks for is counted apart, where strangers cannot reach. */
export type PinLane = { readonly caller: 'recognized' | 'unrecognized'; readonly limits: readonly PinLimit[] }

/** Names that nobody has share so many counters, so that making names up fills no table. The same for strangers' addresses. */
const nobodyBuckets = 2 ** 16
const clientBuckets = 2 ** 20

/**
 * Where an attempt counts: by the strongest of what speaks for it, a sign-in code, a browser or a network that this user signed in
 * from. Pure.
 */
export function findPinLane(attempt: PinAttempt, signs: PinSigns, keyedHash: KeyedHash): PinLane {
  const userId = attempt.user?.id ?? ''
  const { codeHash, browserHash, hasSession, isKnownNetwork } = signs
  if (codeHash !== undefined) return { caller: 'recognized', limits: [{ subject: `code:${codeHash}`, rule: pinRules.code }] }
  if (browserHash !== undefined) return { caller: 'recognized', limits: listBrowserLimits(`${userId}:${browserHash}`) }
  // All sessions of a user together: each sign-in makes a new one.
  if (hasSession) return { caller: 'recognized', limits: listBrowserLimits(`${userId}:session`) }
  const client = keyedHash('client', attempt.visitor.client)
  if (isKnownNetwork) return { caller: 'recognized', limits: listNetworkLimits(attempt, { userId, client, keyedHash }) }
  return { caller: 'unrecognized', limits: listUnrecognizedLimits(attempt, { client, keyedHash }) }
}

function listBrowserLimits(browser: string): PinLimit[] {
  return [
    { subject: `browser:${browser}`, rule: pinRules.browser },
    { subject: `browserWrong:${browser}`, rule: pinRules.browserWrong },
  ]
}

type Hashed = { readonly client: string; readonly keyedHash: KeyedHash }

/**
 * What a PIN is counted as. PINs that the name has in it are one guess, whatever their digits are: who tries them on all names is
 * as limited as with one PIN. `isEasy`: no new account has such a PIN.
 */
function toGuess({ key, pin }: PinAttempt): { readonly guess: string; readonly isEasy: boolean } {
  const flaw = findPinFlaw(pin, key)
  return { guess: flaw === 'name' ? 'of the name' : pin, isEasy: flaw !== undefined }
}

/**
 * Apart from what strangers elsewhere count against, and for each network by itself: nobody on another one closes a PIN here. PINs that
 * are not easy are not counted over accounts: they are all as good as each other, and neighbours' slips close none.
 */
function listNetworkLimits(attempt: PinAttempt, { userId, client, keyedHash }: Hashed & { readonly userId: string }): PinLimit[] {
  const { guess, isEasy } = toGuess(attempt)
  const pair = `networkPair:${keyedHash('guess', `${client} ${userId} ${attempt.pin}`)}`
  const ofPin: PinLimit[] = [
    { subject: pair, rule: pinRules.pair },
    { subject: `networkGuess:${keyedHash('guess', `${client} ${guess}`)}`, rule: pinRules.guess, unless: pair },
  ]
  return [
    { subject: `network:${userId}:${client}`, rule: pinRules.network },
    { subject: `networkClient:${client}`, rule: pinRules.networkClient },
    ...(isEasy ? ofPin : []),
  ]
}

function listUnrecognizedLimits(attempt: PinAttempt, { client, keyedHash }: Hashed): PinLimit[] {
  const { user, key, pin } = attempt
  const account = user ? `account:${user.key}` : `nobody:${toBucket(keyedHash('nobody', key), nobodyBuckets)}`
  const from = `client:${toBucket(client, clientBuckets)}`
  // The hash covers the account too, so nobody can find a user's guesses by the hash of their own.
  const pair = `pair:${keyedHash('guess', `${account} ${pin}`)}`
  // Names cost nothing to make up, and are mistyped: with an unknown name, a PIN was wrong for no account.
  const isCharged = user === undefined
  const { guess, isEasy } = toGuess(attempt)
  const guessed = keyedHash('guess', guess)
  const guessFrom = `${from}:${keyedHash('guess', `${from} ${guess}`)}`
  const once = { unless: pair } as const
  // Spent by easy PINs, it would open accounts that were made before these were refused.
  const reserve: PinLimit[] = [
    { subject: 'reserve', rule: pinRules.reserve, ...once, part: 'reserve', decoy: { subject: 'nobodysReserve', isCharged } },
    { subject: `${from}:reserve`, rule: pinRules.clientReserve, ...once, part: 'reserve' },
  ]
  // More than half of the accounts from before have such a PIN, and strangers try those first.
  const easy: PinLimit[] = [
    { subject: 'easy', rule: pinRules.easy, ...once, decoy: { subject: 'nobodysEasy', isCharged } },
    { subject: `${from}:easy`, rule: pinRules.clientEasy, ...once },
  ]
  return [
    { subject: account, rule: pinRules.account },
    { subject: from, rule: pinRules.client },
    { subject: `${from}:${account}`, rule: pinRules.clientAccount },
    { subject: pair, rule: pinRules.pair },
    {
      ...{ subject: guessFrom, rule: isEasy ? pinRules.clientEasyGuess : pinRules.clientGuess, ...once, part: 'pin' },
      decoy: { subject: `nobodys:${guessFrom}`, isCharged },
    },
    {
      ...{ subject: `guess:${guessed}`, rule: isEasy ? pinRules.easyGuess : pinRules.guess, ...once, part: 'pin' },
      decoy: { subject: `nobodysGuess:${guessed}`, isCharged },
    },
    ...(isEasy ? easy : reserve),
  ]
}

function toBucket(hash: string, buckets: number): number {
  return Number.parseInt(hash.slice(0, 8), 16) % buckets
}
