import { expect, test } from 'vitest'
import type { PinCounter } from '../store/pinFailures.ts'
import { decidePin, type PinEvidence } from './decidePin.ts'
import { type PinLimit, pinRules } from './pinGuard.ts'

const now = 1_700_000_000
/** After so long one failure of an account is forgotten. */
const forget = 216_000
const day = 86_400
const pair: PinLimit = { subject: 'pair', rule: pinRules.pair }
const guess: PinLimit = { subject: 'guess', rule: pinRules.guess, unless: 'pair' }
const wrong: PinLimit = { subject: 'wrong', rule: pinRules.browserWrong }

/** A stranger on one account, of whom nothing is counted. */
const fresh: PinEvidence = {
  caller: 'unrecognized',
  limits: [{ subject: 'account', rule: pinRules.account }],
  counters: new Map(),
  quotaWaitSeconds: 0,
}
const counted = (subject: string, failures: number, forgetSeconds: number, blockedForSeconds = 0): [string, PinCounter] => [
  subject,
  { emptyAtSeconds: now + failures * forgetSeconds, blockedUntilSeconds: now + blockedForSeconds },
]
const refused = (text: string, retryAfterSeconds: number) => ({ kind: 'refuse', text, retryAfterSeconds })
const elsewhere =
  'Too many wrong PINs. Use a passkey, linked wallet, recovery code or sign-in code, or a browser or network you have logged in from before.'
const elsewhereHere =
  'Too many wrong PINs. Use a passkey, linked wallet, recovery code or sign-in code, or another browser or network you have logged in from before.'

test.each<[string, Partial<PinEvidence>, object]>([
  [
    'nothing counted: looked at, and counted first',
    {},
    {
      kind: 'look',
      limits: fresh.limits,
      counters: new Map([['account', { emptyAtSeconds: now + forget, blockedUntilSeconds: now }]]),
    },
  ],
  [
    'blocked for 30 s: come back in 30 s',
    { counters: new Map([counted('account', 20, forget, 30)]) },
    refused('Too many attempts. Try again in 30 s.', 30),
  ],
  [
    'blocked for 119 s: still said in seconds',
    { counters: new Map([counted('account', 20, forget, 119)]) },
    refused('Too many attempts. Try again in 119 s.', 119),
  ],
  [
    'blocked for 121 s: said in minutes, rounded up',
    { counters: new Map([counted('account', 20, forget, 121)]) },
    refused('Too many attempts. Try again in 3 min.', 121),
  ],
  [
    'blocked for an hour: the longest wait',
    { counters: new Map([counted('account', 20, forget, 3_600)]) },
    refused('Too many attempts. Try again in 60 min.', 3_600),
  ],
  [
    'closed to strangers: the other ways in, and an hour to come back',
    { counters: new Map([counted('account', 21, forget)]) },
    refused(elsewhere, 3_600),
  ],
  [
    'closed in a known place: other words',
    { caller: 'recognized', counters: new Map([counted('account', 21, forget)]) },
    refused(elsewhereHere, 3_600),
  ],
  [
    'of two waits the longer one',
    {
      limits: [...fresh.limits, { subject: 'client', rule: pinRules.client }],
      counters: new Map([counted('account', 20, forget, 30), counted('client', 7, 3_600, 60)]),
    },
    refused('Too many attempts. Try again in 60 s.', 60),
  ],
  [
    'a PIN that was wrong on five accounts is closed',
    { limits: [pair, guess], counters: new Map([counted('guess', 5, 7.5 * day)]) },
    refused(elsewhere, 3_600),
  ],
  [
    'but not on an account where it was tried before: there it says nothing new, and counts for the pair alone',
    { limits: [pair, guess], counters: new Map([counted('guess', 5, 7.5 * day), counted('pair', 1, 30 * day)]) },
    {
      kind: 'look',
      limits: [pair],
      counters: new Map([['pair', { emptyAtSeconds: now + 60 * day, blockedUntilSeconds: now }]]),
    },
  ],
  [
    'a counter of wrong PINs is not written before the PIN is looked at',
    { limits: [...fresh.limits, wrong] },
    {
      kind: 'look',
      limits: [...fresh.limits, wrong],
      counters: new Map([['account', { emptyAtSeconds: now + forget, blockedUntilSeconds: now }]]),
    },
  ],
  ['the quota used up: a wait like any other', { quotaWaitSeconds: 6 }, refused('Too many attempts. Try again in 6 s.', 6)],
  [
    'what is counted goes before the quota',
    { counters: new Map([counted('account', 20, forget, 30)]), quotaWaitSeconds: 60 },
    refused('Too many attempts. Try again in 30 s.', 30),
  ],
])('%s', (_, evidence, decision) => {
  expect(decidePin({ ...fresh, ...evidence }, now)).toEqual(decision)
})
