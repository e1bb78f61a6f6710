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
  /** The longest wait that one of them was told, in seconds. */
  readonly waitSecondsMax: number
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
/** Before the owners come, so many hours go into the reserve, from so many addresses at most. */
const reserveHours = 24
const reserveAddressesMax = 32
const ownersMax = 1_000
/** Of the attacker's accounts. */
const ownPin = '9024'
const from = (client: string) => ({ client, sessionToken: undefined, browserTokens: [] })

/** Closes PINs to strangers, the most popular first, by failing with each on the attacker's own accounts, once on each. @throws CheckFailed when the guard refuses a try that its rules admit */
export async function closePins(world: SimWorld, { addresses, accounts, hours, choices, signal }: ClosePlan): Promise<Closed> {
  for (let i = 0; i < accounts; i += 1)
    await world.accounts.register({ username: `own-${i}`, pin: ownPin, visitor: from(`home-${i}`) })
  const places = createPool(addresses, pinRules.client, pinRules.clientGuess.burst)
  const names = createPool(accounts, pinRules.account, 1)
  const { burst } = pinRules.guess
  /** Tries from an address on an account. */
  const together = new Map<string, number>()
  const used = new Set<string>()
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
      used.add(`${pin} ${name}`)
      if (await tryPin(world, `own-${name}`, toPin(pin), `closer-${place}`))
        throw new CheckFailed('a try was refused that the rules admit')
      places.use(place, pin, now)
      names.use(name, pin, now)
      tries += 1
      failures += 1
      if (failures === burst) [pins, failures] = [pins + 1, 0]
    }
  }
  const closed = choices.order.slice(0, pins)
  tries += await useUpReserve(world, { addresses: Math.min(addresses, reserveAddressesMax), accounts, closed, used })
  const owners = Math.min(ownersMax, world.pins.length)
  const waits: number[] = []
  for (let i = 0; i < owners; i += 1) waits.push(await tryPin(world, nameOf(i), world.pins[i] ?? '', `new-${i}`))
  const refused = waits.filter((seconds) => seconds > 0).length
  return { addresses, accounts, tries, pins, owners, refused, waitSecondsMax: Math.max(...waits) }
}

type ReservePlan = {
  readonly addresses: number
  readonly accounts: number
  readonly closed: readonly number[]
  /** PINs and own accounts that were tried together: trying them again counts for nothing. */
  readonly used: ReadonlySet<string>
}

/** Fails with closed PINs whenever the reserve lets it. @returns the tries */
async function useUpReserve(world: SimWorld, { addresses, accounts, closed, used }: ReservePlan): Promise<number> {
  const fresh = closed.flatMap((pin) =>
    Array.from({ length: accounts }, (_, name) => ({ pin, name })).filter((each) => !used.has(`${each.pin} ${each.name}`)),
  )
  let tries = 0
  for (let hour = 0; hour <= reserveHours; hour += 1) {
    for (let place = 0; place < addresses; place += 1) {
      const next = fresh[tries]
      if (!next) return tries
      if ((await tryPin(world, `own-${next.name}`, toPin(next.pin), `closer-${place}`)) === 0) tries += 1
    }
    if (hour < reserveHours) world.clock.seconds += hourSeconds
  }
  return tries
}

/** @returns seconds to wait; 0 when the PIN was looked at */
async function tryPin({ accounts }: SimWorld, name: string, pin: string, client: string): Promise<number> {
  try {
    await accounts.signIn({ name, pin, code: undefined, visitor: from(client) })
    return 0
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.code === 'too-many-attempts' ? Number(error.detail['retryAfterSeconds']) : 0
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
