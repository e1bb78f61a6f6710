import { findPinFlaw } from '@chainboard/core'
import { at } from '../../devnet/at.ts'
import { charge, type PinLimit, type PinRule, pinRules, waitSeconds } from '../../server/accounts/pinGuard.ts'
import type { PinCounters } from '../../server/store/pinFailures.ts'
import { type PinChoices, pinCount, toPin } from './pinChoices.ts'

/** What an attacker tries next. Times are unix seconds. */
export type Picked =
  | { readonly kind: 'open'; readonly pin: number; readonly isOfReserve: boolean }
  | { readonly kind: 'notFromHere'; readonly untilSeconds: number }
  | { readonly kind: 'allClosed'; readonly untilSeconds: number }

type Try = { readonly account: number; readonly pin: number; readonly address: number; readonly isOfReserve: boolean }

type ShadowRules = Readonly<Record<'account' | 'address' | 'addressAccount' | 'pin' | 'addressPin', PinRule>>
const strangerRules: ShadowRules = {
  account: pinRules.account,
  address: pinRules.client,
  addressAccount: pinRules.clientAccount,
  pin: pinRules.guess,
  addressPin: pinRules.clientGuess,
}
const sharedRules: ShadowRules = {
  account: pinRules.network,
  address: pinRules.networkClient,
  addressAccount: pinRules.network,
  pin: pinRules.guess,
  addressPin: pinRules.guess,
}
const easyRules = {
  easyPin: pinRules.easyGuess,
  addressEasyPin: pinRules.clientEasyGuess,
  easy: pinRules.easy,
  addressEasy: pinRules.clientEasy,
} as const
const reserveRules = { reserve: pinRules.reserve, addressReserve: pinRules.clientReserve } as const

const accountsMax = 1_000_000
/** Accounts that wait for the next try of the reserve: one of them gets it. */
const reserveWaitersMax = 20
/** PINs that no new account has. No name of the simulation has digits. */
const isEasy = Array.from({ length: pinCount }, (_, pin) => findPinFlaw(toPin(pin), '') !== undefined)

export type Shadow = ReturnType<typeof createShadow>

/** The attacker's own counters by the server's rules, so that no try is wasted. `isShared`: from a network that all owners share. */
export function createShadow({ order }: PinChoices, { isShared }: { readonly isShared: boolean }) {
  const counters = createCounters({ ...(isShared ? sharedRules : strangerRules), ...easyRules, ...reserveRules })
  const { wait, add } = counters
  const pins = createPinCounters(counters, isShared)
  const tried = new Map<number, Set<number>>()
  /** All PINs before it are closed until then. */
  const closed = { before: 0, untilSeconds: Number.POSITIVE_INFINITY }
  const reserve = createReserve(wait)

  /** The best PIN that is open and not tried there; else when to look again. */
  const pickOpen = (mine: ReadonlySet<number> | undefined, address: number, nowSeconds: number): Picked & { place?: number } => {
    if (nowSeconds >= closed.untilSeconds) Object.assign(closed, { before: 0, untilSeconds: Number.POSITIVE_INFINITY })
    let untilSeconds = closed.untilSeconds
    let unbroken = true
    let fromHereSeconds: number | undefined
    for (let place = closed.before; place < order.length; place += 1) {
      const pin = at(order, place)
      const seconds = pins.wait(pin, nowSeconds)
      if (seconds === 0 && !mine?.has(pin)) {
        const here = pins.waitFrom(address, pin, nowSeconds)
        if (here === 0) return { kind: 'open', pin, isOfReserve: false, place }
        fromHereSeconds = Math.min(fromHereSeconds ?? here, here)
      }
      if (seconds > 0) untilSeconds = Math.min(untilSeconds, nowSeconds + seconds)
      unbroken &&= seconds > 0
      if (unbroken) Object.assign(closed, { before: place + 1, untilSeconds })
    }
    if (fromHereSeconds !== undefined) return { kind: 'notFromHere', untilSeconds: nowSeconds + fromHereSeconds }
    return { kind: 'allClosed', untilSeconds: reserve.comeBack(untilSeconds, nowSeconds) }
  }
  /** A better one that only the reserve lets in. */
  const pickReserve = (mine: ReadonlySet<number> | undefined, address: number, nowSeconds: number, before: number) => {
    if (isShared || !reserve.isOpen(address, nowSeconds)) return undefined
    return order.slice(0, before).find((pin) => !isEasy[pin] && !mine?.has(pin))
  }

  return {
    accountWait: (account: number, nowSeconds: number) => wait('account', account, nowSeconds),
    addressWait: (address: number, nowSeconds: number) => wait('address', address, nowSeconds),
    pickPin: (account: number, address: number, nowSeconds: number): Picked => {
      const together = wait('addressAccount', toAddressAccount(address, account), nowSeconds)
      if (together > 0) return { kind: 'notFromHere', untilSeconds: nowSeconds + together }
      const mine = tried.get(account)
      const open = pickOpen(mine, address, nowSeconds)
      const pin = pickReserve(mine, address, nowSeconds, open.place ?? order.length)
      return pin === undefined ? open : { kind: 'open', pin, isOfReserve: true }
    },
    fail: ({ account, pin, address, isOfReserve }: Try, nowSeconds: number) => {
      add('account', account, nowSeconds)
      add('address', address, nowSeconds)
      add('addressAccount', toAddressAccount(address, account), nowSeconds)
      if (isOfReserve) {
        add('reserve', 0, nowSeconds)
        add('addressReserve', address, nowSeconds)
      } else pins.add(address, pin, nowSeconds)
      tried.set(account, (tried.get(account) ?? new Set()).add(pin))
    },
  }
}

const toAddressPin = (address: number, pin: number) => address * pinCount + pin
const toAddressAccount = (address: number, account: number) => address * accountsMax + account

type Wait<K> = (kind: K, item: number, nowSeconds: number) => number
type Counters<K> = { readonly wait: Wait<K>; readonly add: (kind: K, item: number, nowSeconds: number) => void }
type PinKind = 'pin' | 'addressPin' | keyof typeof easyRules

/** What is counted of each PIN. Strangers’ easy PINs have rules of their own; in a shared network only easy ones are limited. */
function createPinCounters({ wait, add }: Counters<PinKind>, isShared: boolean) {
  const isLimited = (pin: number) => !isShared || isEasy[pin]
  const isEasyPin = (pin: number) => !isShared && isEasy[pin] === true
  return {
    wait: (pin: number, nowSeconds: number) => {
      if (isEasyPin(pin)) return Math.max(wait('easyPin', pin, nowSeconds), wait('easy', 0, nowSeconds))
      return isLimited(pin) ? wait('pin', pin, nowSeconds) : 0
    },
    waitFrom: (address: number, pin: number, nowSeconds: number) => {
      const item = toAddressPin(address, pin)
      if (isEasyPin(pin)) return Math.max(wait('addressEasyPin', item, nowSeconds), wait('addressEasy', address, nowSeconds))
      return isLimited(pin) ? wait('addressPin', item, nowSeconds) : 0
    },
    add: (address: number, pin: number, nowSeconds: number) => {
      if (!isEasyPin(pin)) {
        add('pin', pin, nowSeconds)
        add('addressPin', toAddressPin(address, pin), nowSeconds)
        return
      }
      add('easyPin', pin, nowSeconds)
      add('addressEasyPin', toAddressPin(address, pin), nowSeconds)
      add('easy', 0, nowSeconds)
      add('addressEasy', address, nowSeconds)
    },
  }
}

function createCounters<K extends string>(rules: Readonly<Record<K, PinRule>>) {
  const counters = new Map<K, Map<number, PinCounters>>()
  const limitsOf = (kind: K): PinLimit[] => [{ subject: '', rule: rules[kind] }]
  const countersOf = (kind: K, item: number): PinCounters => counters.get(kind)?.get(item) ?? new Map()
  const wait: Wait<K> = (kind, item, nowSeconds) => waitSeconds(limitsOf(kind), countersOf(kind, item), nowSeconds)
  const add = (kind: K, item: number, nowSeconds: number): void => {
    const ofKind = counters.get(kind) ?? new Map<number, PinCounters>()
    counters.set(kind, ofKind.set(item, charge(limitsOf(kind), countersOf(kind, item), nowSeconds)))
  }
  return { wait, add }
}

/** Few accounts wait for its next try: one of them gets it. */
function createReserve(wait: Wait<'reserve' | 'addressReserve'>) {
  let [opensAtSeconds, waiters] = [0, 0]
  return {
    isOpen: (address: number, nowSeconds: number) =>
      wait('reserve', 0, nowSeconds) === 0 && wait('addressReserve', address, nowSeconds) === 0,
    comeBack: (untilSeconds: number, nowSeconds: number): number => {
      const next = nowSeconds + Math.max(1, wait('reserve', 0, nowSeconds))
      if (next !== opensAtSeconds) [opensAtSeconds, waiters] = [next, 0]
      waiters += 1
      return waiters > reserveWaitersMax ? untilSeconds : Math.min(untilSeconds, next)
    },
  }
}
