import { Failure, hourSeconds } from '@chainboard/core'
import { charge, type PinRule, pinRules, waitSeconds } from '../../server/accounts/pinGuard.ts'
import type { PinCounters } from '../../server/store/pinFailures.ts'
import { CheckFailed } from '../checkFailed.ts'
import { type PinChoices, toPin } from './pinChoices.ts'
import { nameOf, type SimWorld, startSeconds } from './simWorld.ts'

/** What an attacker achieved who only wants to keep others out. */
export type Closed = {
  readonly addresses: number
  /** Made for the attack. */
  readonly accounts: number
  readonly tries: number
  /** PINs that are closed to strangers. */
  readonly pins: number
  /** Owners who then came from a new place with name and PIN alone, and how many of them had to wait. */
  readonly owners: number
  readonly refused: number
}

/** Who keeps others out, with what, for how long. */
export type ClosePlan = {
  readonly addresses: number
  readonly accounts: number
  readonly hours: number
  readonly choices: PinChoices
  readonly signal: AbortSignal
}

const stepSeconds = 60
const ownersMax = 1_000
const from = (client: string) => ({ client, sessionToken: undefined, browserTokens: [] })

/** Closes PINs to strangers, the most popular first, by failing with each on the attacker's own accounts, once on each. @throws CheckFailed when the guard refuses a try that its rules admit */
export async function closePins(world: SimWorld, { addresses, accounts, hours, choices, signal }: ClosePlan): Promise<Closed> {
  for (let i = 0; i < accounts; i += 1)
    await world.accounts.register({ username: `own-${i}`, pin: toPin(choices.order.at(-1) ?? 0), visitor: from(`home-${i}`) })
  const places = createPool(addresses, pinRules.client, pinRules.clientGuess.burst)
  const names = createPool(accounts, pinRules.account, 1)
  const { burst } = pinRules.guess
  /** Tries from an address on an account. */
  const together = new Map<string, number>()
  let [tries, pins, failures] = [0, 0, 0]
  for (let now = startSeconds; now < startSeconds + hours * hourSeconds; now += stepSeconds) {
    world.clock.seconds = now
    for (;;) {
      signal.throwIfAborted()
      const pin = choices.order[pins]
      if (pin === undefined) break
      const place = places.find(pin, now)
      if (place === undefined) break
      const tried = (name: number) => together.get(`${place} ${name}`) ?? 0
      const name = names.find(pin, now, (each) => tried(each) < pinRules.clientAccount.burst)
      if (name === undefined) break
      together.set(`${place} ${name}`, tried(name) + 1)
      if (await isRefused(world, `own-${name}`, toPin(pin), `closer-${place}`))
        throw new CheckFailed('a try was refused that the rules admit')
      places.use(place, pin, now)
      names.use(name, pin, now)
      tries += 1
      failures += 1
      if (failures === burst) [pins, failures] = [pins + 1, 0]
    }
  }
  const owners = Math.min(ownersMax, world.pins.length)
  let refused = 0
  for (let i = 0; i < owners; i += 1) if (await isRefused(world, nameOf(i), world.pins[i] ?? '', `new-${i}`)) refused += 1
  return { addresses, accounts, tries, pins, owners, refused }
}

async function isRefused({ accounts }: SimWorld, name: string, pin: string, client: string): Promise<boolean> {
  try {
    await accounts.signIn({ name, pin, code: undefined, visitor: from(client) })
    return false
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.code === 'too-many-attempts'
  }
}

/** Counters of what may be tried from where, each PIN `timesMax` times, so that no try is wasted. */
function createPool(size: number, rule: PinRule, timesMax: number) {
  const limits = [{ subject: '', rule }]
  const counters: PinCounters[] = Array.from({ length: size }, () => new Map())
  let cursor = 0
  /** What each was used with last, and how often in a row. */
  const last = Array.from({ length: size }, () => ({ pin: -1, times: 0 }))
  const timesWith = (item: number, pin: number) => (last[item]?.pin === pin ? last[item].times : 0)
  return {
    /** In turn, so that none has to wait before the others. */
    find: (pin: number, nowSeconds: number, fits: (item: number) => boolean = () => true): number | undefined => {
      for (let i = 0; i < size; i += 1) {
        const item = (cursor + i) % size
        const mayTry = timesWith(item, pin) < timesMax && waitSeconds(limits, counters[item] ?? new Map(), nowSeconds) === 0
        if (mayTry && fits(item)) return item
      }
      return undefined
    },
    use: (item: number, pin: number, nowSeconds: number): void => {
      cursor = item + 1
      counters[item] = charge(limits, counters[item] ?? new Map(), nowSeconds)
      last[item] = { pin, times: timesWith(item, pin) + 1 }
    },
  }
}
