import { daySeconds, hourSeconds } from '@chainboard/core'
import type { PinCounter, PinCounters } from '../store/pinFailures.ts'
import { addOne, type LeakyBucket, roomInSeconds } from './leakyBucket.ts'

/** How many failed PINs a subject may have: in any time t at most `burst + t / forgetSeconds`. */
export type PinRule = LeakyBucket & {
  /** Failures without a wait; each further one waits twice as long as the one before, from 30 s to 1 h. */
  readonly freeFailures: number
  /** Whether the right PIN forgets every failure, or only that it was itself counted before it was looked at. */
  readonly forgivenBySuccess: boolean
  /** Counts PINs once they were found wrong, instead of tries before they are looked at. */
  readonly isOfWrongPins?: boolean
}

/** One thing that is counted for an attempt. */
export type PinLimit = {
  /** Whose failures decide whether the attempt may be made. */
  readonly subject: string
  readonly rule: PinRule
  /** Nothing is counted while this one, another of the attempt's subjects, has a failure. */
  readonly unless?: string
  /** Limits of `reserve` hold in place of those of `pin` once one of these has no room left. */
  readonly part?: 'pin' | 'reserve'
  /** What a failure is charged to in place of `subject`, when `isCharged`; read and held in any case, so that the work is the same. */
  readonly decoy?: { readonly subject: string; readonly isCharged: boolean }
}

const firstWaitSeconds = 30
/** No wait that a counter below its limit hands out is longer. */
export const lastWaitSeconds = hourSeconds
const monthSeconds = 30 * daySeconds
/** Wrong PINs that one person may have with one account in one place before the way in is closed: no slip of the fingers reaches it. */
const slipsMax = 20
/** A PIN that strangers were wrong with on one account is forgotten so. */
const guessSeconds = 7.5 * daySeconds
/** All strangers' wrong easy PINs together are forgotten one by one. */
const easySeconds = 18 * hourSeconds

/**
 * What is counted, by who tries. Below `burst` failures an attempt waits an hour at most. A subject that reaches it is closed,
 * but for one attempt every `forgetSeconds`: its owner comes in another way. The sums of docs/decisions/0073 rest on these numbers.
 */
export const pinRules = {
  /** An account, for all unknown clients: 33 in any 30 days, from any number of addresses. One address alone makes no other wait. */
  account: { burst: slipsMax + 1, forgetSeconds: 60 * hourSeconds, freeFailures: slipsMax, forgivenBySuccess: false },
  /** One address of such strangers, over all accounts. */
  client: { burst: 30, forgetSeconds: hourSeconds, freeFailures: 5, forgivenBySuccess: false },
  /** An account from one address of such strangers: never so many that this address alone closes it. */
  clientAccount: { burst: slipsMax, forgetSeconds: 3 * daySeconds, freeFailures: 2, forgivenBySuccess: false },
  /** One PIN from one address, once for each account that exists: a right PIN may be typed for wrong names, but one address alone closes no PIN. */
  clientGuess: { burst: 3, forgetSeconds: guessSeconds, freeFailures: 3, forgivenBySuccess: false },
  /** An account from a network it was signed in from: 50 in any 30 days. Its owner's sign-ins give others there no new tries. */
  network: { burst: slipsMax, forgetSeconds: daySeconds, freeFailures: 2, forgivenBySuccess: false },
  /** One such network, over all accounts that were signed in from it: many owners may share it with one attacker. */
  networkClient: { burst: 100, forgetSeconds: hourSeconds, freeFailures: 100, forgivenBySuccess: false },
  /** Tries of an account in a browser it was signed in from, since its last right PIN there. Those that a dying server left counted go with it. */
  browser: { burst: slipsMax, forgetSeconds: daySeconds, freeFailures: 2, forgivenBySuccess: true },
  /** Wrong PINs there: 50 in any 30 days, however often the owner signs in meanwhile. Who shares the browser gains nothing by it. */
  browserWrong: {
    burst: slipsMax,
    forgetSeconds: daySeconds,
    freeFailures: slipsMax,
    forgivenBySuccess: false,
    isOfWrongPins: true,
  },
  /** One PIN, tried on all accounts together, by strangers: 9 in any 30 days, however many users there are and whatever people choose. An easy one also from one known network. */
  guess: { burst: 5, forgetSeconds: guessSeconds, freeFailures: 5, forgivenBySuccess: false },
  /** One easy PIN, which only accounts from before have, tried on all accounts together by strangers: people chose the first of them a hundred times as often. */
  easyGuess: { burst: 2, forgetSeconds: monthSeconds, freeFailures: 2, forgivenBySuccess: false },
  /** One easy PIN from one address, once for each account: one address alone closes none. */
  clientEasyGuess: { burst: 1, forgetSeconds: monthSeconds, freeFailures: 1, forgivenBySuccess: false },
  /** All easy PINs together, by strangers: more than half of the accounts from before have one of them. */
  easy: { burst: 40, forgetSeconds: easySeconds, freeFailures: 40, forgivenBySuccess: false },
  /** One address's share of these. */
  clientEasy: { burst: 10, forgetSeconds: easySeconds, freeFailures: 10, forgivenBySuccess: false },
  /** All strangers whose PIN has no tries left, together: one more each hour. Slips of others, and an attack that is over, cost nobody more than that. */
  reserve: { burst: 12, forgetSeconds: hourSeconds, freeFailures: 12, forgivenBySuccess: false },
  /** One address's share of these. */
  clientReserve: { burst: 3, forgetSeconds: hourSeconds, freeFailures: 3, forgivenBySuccess: false },
  /** One PIN on one account by strangers, or from one known network: trying it again tells nothing new. */
  pair: { burst: 100, forgetSeconds: monthSeconds, freeFailures: 100, forgivenBySuccess: false },
  /** A sign-in code, which the right PIN ends: three tries in the quarter of an hour that it lives. */
  code: { burst: 3, forgetSeconds: 15 * 60, freeFailures: 3, forgivenBySuccess: false },
} as const satisfies Record<string, PinRule>

/** Every counter that an attempt reads or may write. */
export function listSubjects(limits: readonly PinLimit[]): string[] {
  return limits.flatMap(({ subject, decoy }) => (decoy ? [subject, decoy.subject] : [subject]))
}

/** The limits that hold for an attempt, as the counters stand. */
export function pickLimits(limits: readonly PinLimit[], counters: PinCounters, nowSeconds: number): PinLimit[] {
  const holding = limits.filter(({ unless }) => unless === undefined || (counters.get(unless)?.emptyAtSeconds ?? 0) <= nowSeconds)
  const ofPin = holding.filter(({ part }) => part === 'pin')
  const reserve = holding.filter(({ part }) => part === 'reserve')
  const isSpent = ofPin.length === 0 || waitSeconds(ofPin, counters, nowSeconds) > 0
  const left = isSpent && reserve.length > 0 ? ofPin : reserve
  return holding.filter((limit) => !left.includes(limit))
}

/** Seconds until the attempt may be made; 0 when it may be made now. */
export function waitSeconds(limits: readonly PinLimit[], counters: PinCounters, nowSeconds: number): number {
  return Math.max(0, ...limits.map(({ subject, rule }) => waitOf(rule, counters.get(subject), nowSeconds)))
}

/** The counters after one more failure. An attempt is counted before its PIN is looked at: nothing that ends it makes it free. */
export function charge(limits: readonly PinLimit[], counters: PinCounters, nowSeconds: number): PinCounters {
  return addFailures(limits.filter(isOfTries), counters, nowSeconds)
}

/** The counters when the PIN turned out to be wrong: nothing more for most of them. */
export function chargeWrong(limits: readonly PinLimit[], counters: PinCounters, nowSeconds: number): PinCounters {
  return addFailures(
    limits.filter((limit) => !isOfTries(limit)),
    counters,
    nowSeconds,
  )
}

/** The counters when the PIN turned out to be right. What was wrong before stays so. */
export function settle(limits: readonly PinLimit[], counters: PinCounters): PinCounters {
  return new Map(
    limits.filter(isOfTries).map(({ subject, rule }) => {
      const { emptyAtSeconds } = counters.get(subject) ?? unused
      const left = rule.forgivenBySuccess ? 0 : emptyAtSeconds - rule.forgetSeconds
      return [subject, { emptyAtSeconds: Math.max(0, left), blockedUntilSeconds: 0 }]
    }),
  )
}

function isOfTries({ rule }: PinLimit): boolean {
  return !rule.isOfWrongPins
}

function addFailures(limits: readonly PinLimit[], counters: PinCounters, nowSeconds: number): PinCounters {
  return new Map(
    limits.map(({ subject, rule, decoy }) => {
      const charged = decoy?.isCharged ? decoy.subject : subject
      return [charged, addFailure(rule, counters.get(charged), nowSeconds)]
    }),
  )
}

const unused: PinCounter = { emptyAtSeconds: 0, blockedUntilSeconds: 0 }

function waitOf(rule: PinRule, counter: PinCounter = unused, nowSeconds: number): number {
  return Math.max(0, roomInSeconds(rule, counter.emptyAtSeconds, nowSeconds), counter.blockedUntilSeconds - nowSeconds)
}

function addFailure(rule: PinRule, counter: PinCounter = unused, nowSeconds: number): PinCounter {
  const emptyAtSeconds = addOne(rule, counter.emptyAtSeconds, nowSeconds)
  const failures = Math.ceil((emptyAtSeconds - nowSeconds) / rule.forgetSeconds)
  const doublings = failures - rule.freeFailures - 1
  const pause = doublings < 0 ? 0 : Math.min(lastWaitSeconds, firstWaitSeconds * 2 ** Math.min(doublings, 20))
  return { emptyAtSeconds, blockedUntilSeconds: nowSeconds + pause }
}
