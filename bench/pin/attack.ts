import { daySeconds, Failure } from '@chainboard/core'
import { CheckFailed } from '../checkFailed.ts'
import { type PinChoices, toPin } from './pinChoices.ts'
import { FreeQueue } from './queue.ts'
import { createShadow, type Shadow } from './shadow.ts'
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
  const shadow = createShadow(choices, { isShared: plan.isShared ?? false })
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
    shadow.fail({ account: account.item, pin: pick.pin, address: address.item, isOfReserve: pick.isOfReserve }, nowSeconds)
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
