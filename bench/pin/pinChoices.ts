import { findPinFlaw } from '@chainboard/core'

/** How often each of the 10,000 PINs is somebody's, and the order in which an attacker tries them. */
export type PinChoices = { readonly name: string; readonly shares: readonly number[]; readonly order: readonly number[] }

/** From 0000 to 9999. */
export const pinCount = 10_000

/** Percent of 3.4 million leaked PINs, the twenty most frequent (DataGenetics, "PIN analysis", 2012). */
const popular: Readonly<Record<string, number>> = {
  1234: 10.713,
  1111: 6.016,
  '0000': 1.881,
  1212: 1.197,
  7777: 0.745,
  1004: 0.616,
  2000: 0.613,
  4444: 0.526,
  2222: 0.516,
  6969: 0.512,
  9999: 0.451,
  3333: 0.419,
  5555: 0.395,
  6666: 0.391,
  1122: 0.366,
  1313: 0.304,
  8888: 0.303,
  4321: 0.293,
  2001: 0.29,
  1010: 0.285,
}

/** As random numbers. */
export const evenChoices: PinChoices = toChoices(
  'even',
  Array.from({ length: pinCount }, () => 1 / pinCount),
)

/** Shares that the allowed PINs have of all leaked ones: falling from the first to the last. Of the ranking behind `core/pinFlaw.ts`. */
const allowedShares = { first: 0.000125, last: 0.0000143 } as const

/** As people choose who are refused easy PINs: who wanted one takes any other by chance. */
export const newChoices: PinChoices = toChoices('not refused', fillAllowed('evenly'))

/** The same, but who wanted an easy PIN takes another one by the habits of those who did not. */
export const stubbornChoices: PinChoices = toChoices('not refused, by habit', fillAllowed('byHabit'))

/**
 * As people choose where every PIN is let in: the twenty as they were found, the allowed ones by the same ranking, and what is left evenly
 * among the other easy ones. Easy ones are more than half of all.
 */
export const earlyChoices: PinChoices = toChoices('any', fillShares())

/** Shares of the allowed PINs among all that people choose, and how many these are. */
function rankAllowed() {
  const isAllowed = Array.from({ length: pinCount }, (_, pin) => findPinFlaw(toPin(pin), '') === undefined)
  const count = isAllowed.filter(Boolean).length
  const { first, last } = allowedShares
  const falling = Array.from({ length: count }, (_, rank) => first * (last / first) ** (rank / (count - 1)))
  return { isAllowed, count, falling, sum: falling.reduce((total, share) => total + share, 0) }
}

function fillAllowed(others: 'evenly' | 'byHabit'): number[] {
  const { isAllowed, count, falling, sum } = rankAllowed()
  const shares = falling.map((share) => (others === 'evenly' ? share + (1 - sum) / count : share / sum))
  let rank = 0
  return isAllowed.map((allowed) => (allowed ? (shares[rank++] ?? 0) : 0))
}

function fillShares(): number[] {
  const { isAllowed, count, falling, sum } = rankAllowed()
  const known = Object.values(popular).map((percent) => percent / 100)
  const left = 1 - sum - known.reduce((total, share) => total + share, 0)
  const each = left / (pinCount - count - known.length)
  let rank = 0
  return isAllowed.map((allowed, pin) => (allowed ? (falling[rank++] ?? 0) : (popular[toPin(pin)] ?? each * 100) / 100))
}

function toChoices(name: string, shares: readonly number[]): PinChoices {
  const order = shares.map((_, pin) => pin).sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0))
  return { name, shares, order }
}

/** With its leading zeros. */
export function toPin(value: number): string {
  return String(value).padStart(4, '0')
}

/** A PIN as one of these people would have it. @param random from 0 to 1 */
export function choosePin({ shares, order }: PinChoices, random: number): string {
  let left = random
  for (const pin of order) {
    left -= shares[pin] ?? 0
    if (left < 0) return toPin(pin)
  }
  return toPin(order.at(-1) ?? 0)
}
