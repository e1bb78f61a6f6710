import { daySeconds, Failure } from '@chainboard/core'
import { at } from '../../devnet/at.ts'
import { charge, type PinLimit, type PinRule, pinRules, waitSeconds } from '../../server/accounts/pinGuard.ts'
import type { PinCounters } from '../../server/store/pinFailures.ts'
import { CheckFailed } from '../checkFailed.ts'
import { type PinChoices, toPin } from './pinChoices.ts'
import { FreeQueue } from './queue.ts'
import { nameOf, type SimWorld, startSeconds } from './simWorld.ts'

/** What an attacker has achieved after so many days. */
export type AttackState = {
  readonly days: number
  /** PINs that were checked. */
  readonly tries: number
  /** Accounts that were opened in this run. */
  readonly opened: number
  /** Accounts that such tries open on average. */
  readonly expected: number
}

/** Who attacks, with what, for how long. */
export type AttackPlan = {
  readonly addresses: number
  readonly choices: PinChoices
  /** The one address is a network that all owners have signed in from. */
  readonly isShared?: boolean
  /** After which days to note the state. */
  readonly days: readonly number[]
  /** Only so many accounts are attacked. */
  readonly targets?: number
  /** Called once on each day. */
  readonly onDay?: (day: number) => Promise<void>
  readonly signal: AbortSignal
}

/** After so many tries one is repeated at once, from another address, where the rules must refuse it. */
const probeEvery = 100
const accountsMax = 1_000_000
/** Refusals that the shared counters explain, for each address. */
const refusedMax = 0.2
/** Not an address of the attacker. */
const farAddress = 1_000_000

/**
 * The best possible attacker: knows every name, every rule and the order in which people choose PINs, uses all addresses at the first
 * second at which a try is admitted, and wastes none. Every try goes through the server's own code.
 * @throws CheckFailed when the guard does not follow its rules
 */
export async function attack(world: SimWorld, plan: AttackPlan): Promise<AttackState[]> {
  const { choices, days, onDay, signal } = plan
  const targets = plan.targets ?? world.pins.length
  const shadow = createShadow(choices, plan.isShared ? sharedRules : strangerRules)
  const accounts = new FreeQueue()
  for (let i = 0; i < targets; i += 1) accounts.push(i, startSeconds)
  const addresses = new FreeQueue()
  for (let i = 0; i < plan.addresses; i += 1) addresses.push(i, startSeconds)
  const states: AttackState[] = []
  const sum = { tries: 0, opened: 0, expected: 0, refused: 0 }
  const endSeconds = startSeconds + (days.at(-1) ?? 0) * daySeconds
  let day = 0
  const passDaysUntil = async (seconds: number) => {
    while (startSeconds + (day + 1) * daySeconds <= seconds) {
      day += 1
      world.clock.seconds = startSeconds + day * daySeconds
      await onDay?.(day)
      if (days.includes(day)) states.push({ days: day, tries: sum.tries, opened: sum.opened, expected: sum.expected })
    }
  }

  for (;;) {
    signal.throwIfAborted()
    const [account, address] = [accounts.pop(), addresses.pop()]
    if (!account || !address) break
    const nowSeconds = Math.max(account.atSeconds, address.atSeconds)
    if (nowSeconds >= endSeconds) break
    await passDaysUntil(nowSeconds)
    world.clock.seconds = nowSeconds
    const pick = shadow.pickPin(account.item, address.item, nowSeconds)
    if (pick.kind === 'notFromHere') {
      // The address has used up what is open: another one serves.
      accounts.push(account.item, nowSeconds)
      addresses.push(address.item, pick.untilSeconds)
      continue
    }
    if (pick.kind === 'allClosed') {
      // Every PIN he has not tried there is closed: both are free at once, and the account when the first one opens.
      accounts.push(account.item, pick.untilSeconds)
      addresses.push(address.item, nowSeconds)
      continue
    }
    const { answer, retryAfterSeconds } = await tryPin(world, account.item, pick.pin, address.item)
    if (answer === 'refused') {
      // Two of his addresses may share a counter: another one serves.
      sum.refused += 1
      if (sum.refused > refusedMax * plan.addresses) throw new CheckFailed('the attacker is refused where the rules admit a try')
      accounts.push(account.item, nowSeconds)
      addresses.push(address.item, nowSeconds + retryAfterSeconds)
      continue
    }
    sum.tries += 1
    sum.expected += choices.shares[pick.pin] ?? 0
    shadow.fail(account.item, pick.pin, address.item, nowSeconds)
    if (answer === 'opened') sum.opened += 1
    else accounts.push(account.item, nowSeconds + shadow.accountWait(account.item, nowSeconds))
    addresses.push(address.item, nowSeconds + shadow.addressWait(address.item, nowSeconds))
    if (sum.tries % probeEvery === 0 && answer !== 'opened')
      await probe(world, shadow, { account: account.item, address: plan.isShared ? address.item : farAddress }, nowSeconds)
  }
  await passDaysUntil(endSeconds)
  return states
}

async function probe(
  world: SimWorld,
  shadow: Shadow,
  { account, address }: { account: number; address: number },
  nowSeconds: number,
): Promise<void> {
  if (shadow.accountWait(account, nowSeconds) === 0) return
  const { answer } = await tryPin(world, account, 0, address)
  if (answer !== 'refused') throw new CheckFailed('a try was admitted where the rules refuse it')
}

/** How the guard names an address of the attacker. */
export const clientName = (address: number) => `attacker-${address}`

type Tried = { readonly answer: 'wrong' | 'opened' | 'refused'; readonly retryAfterSeconds: number }

async function tryPin({ accounts }: SimWorld, account: number, pin: number, address: number): Promise<Tried> {
  const visitor = { client: clientName(address), sessionToken: undefined, browserTokens: [] }
  try {
    await accounts.signIn({ name: nameOf(account), pin: toPin(pin), code: undefined, visitor })
    return { answer: 'opened', retryAfterSeconds: 0 }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'pin-invalid') return { answer: 'wrong', retryAfterSeconds: 0 }
    if (error.code !== 'too-many-attempts') throw error
    return { answer: 'refused', retryAfterSeconds: Number(error.detail['retryAfterSeconds']) }
  }
}

type Picked =
  | { readonly kind: 'open'; readonly pin: number }
  | { readonly kind: 'notFromHere'; readonly untilSeconds: number }
  | { readonly kind: 'allClosed'; readonly untilSeconds: number }

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

type Shadow = ReturnType<typeof createShadow>

/** The attacker's own counters by the rules, so that no try is wasted. */
function createShadow({ order }: PinChoices, rules: ShadowRules) {
  const counters: Record<keyof ShadowRules, Map<number, PinCounters>> = {
    account: new Map(),
    address: new Map(),
    addressAccount: new Map(),
    pin: new Map(),
    addressPin: new Map(),
  }
  const toAddressPin = (address: number, pin: number) => address * 10_000 + pin
  const toAddressAccount = (address: number, account: number) => address * accountsMax + account
  const tried = new Map<number, Set<number>>()
  const limitsOf = (kind: keyof ShadowRules): PinLimit[] => [{ subject: '', rule: rules[kind] }]
  const countersOf = (kind: keyof ShadowRules, item: number): PinCounters => counters[kind].get(item) ?? new Map()
  const wait = (kind: keyof ShadowRules, item: number, nowSeconds: number) =>
    waitSeconds(limitsOf(kind), countersOf(kind, item), nowSeconds)
  const add = (kind: keyof ShadowRules, item: number, nowSeconds: number) => {
    counters[kind].set(item, charge(limitsOf(kind), countersOf(kind, item), nowSeconds))
  }
  /** All PINs before it are closed until then. */
  const closed = { before: 0, untilSeconds: Number.POSITIVE_INFINITY }

  return {
    accountWait: (account: number, nowSeconds: number) => wait('account', account, nowSeconds),
    addressWait: (address: number, nowSeconds: number) => wait('address', address, nowSeconds),
    /** The best PIN that is open and not tried there; else when to look again. */
    pickPin: (account: number, address: number, nowSeconds: number): Picked => {
      const together = wait('addressAccount', toAddressAccount(address, account), nowSeconds)
      if (together > 0) return { kind: 'notFromHere', untilSeconds: nowSeconds + together }
      if (nowSeconds >= closed.untilSeconds) Object.assign(closed, { before: 0, untilSeconds: Number.POSITIVE_INFINITY })
      const mine = tried.get(account)
      let untilSeconds = closed.untilSeconds
      let unbroken = true
      let fromHereSeconds: number | undefined
      for (let place = closed.before; place < order.length; place += 1) {
        const pin = at(order, place)
        const seconds = wait('pin', pin, nowSeconds)
        if (seconds === 0 && !mine?.has(pin)) {
          const here = wait('addressPin', toAddressPin(address, pin), nowSeconds)
          if (here === 0) return { kind: 'open', pin }
          fromHereSeconds = Math.min(fromHereSeconds ?? here, here)
        }
        if (seconds > 0) untilSeconds = Math.min(untilSeconds, nowSeconds + seconds)
        unbroken &&= seconds > 0
        if (unbroken) Object.assign(closed, { before: place + 1, untilSeconds })
      }
      if (fromHereSeconds !== undefined) return { kind: 'notFromHere', untilSeconds: nowSeconds + fromHereSeconds }
      return { kind: 'allClosed', untilSeconds }
    },
    fail: (account: number, pin: number, address: number, nowSeconds: number) => {
      add('account', account, nowSeconds)
      add('address', address, nowSeconds)
      add('addressAccount', toAddressAccount(address, account), nowSeconds)
      add('pin', pin, nowSeconds)
      add('addressPin', toAddressPin(address, pin), nowSeconds)
      const mine = tried.get(account) ?? new Set()
      tried.set(account, mine.add(pin))
    },
  }
}
