/** One credit pays for this many coins in a call for listed quotes. */
export const coinsPerCredit = 100

/** Credits to spend in a month where the network file says nothing: the free plan less a margin. */
export const defaultCreditsPerMonth = 12_000
/** Calls to make in a minute where the network file says nothing. */
export const defaultCallsPerMinute = 30

/** CoinMarketCap makes new figures once a minute: asking more often buys nothing. */
const intervalSecondsMin = 60
/** The longest month: a plan that fits it fits every one. */
const monthSeconds = 31 * 86_400
/** Part of the month's credits that may be spent ahead of time, for starts and retries. */
const headStart = 0.05

/** How often each kind is asked, and the credits a month that this costs. 0 credits: there is nothing to ask so far. */
export type CreditPlan = {
  readonly listedSeconds: number
  readonly dexSeconds: number
  readonly listedCreditsPerMonth: number
  readonly dexCreditsPerMonth: number
}

/**
 * Spreads a month's credits over the readings of it. Pure. The listing comes first: it prices 100 coins for a credit. With
 * DEX pairs beside it, it gets half of the credits at most, and the pairs, a credit each, get what it leaves.
 */
export function planCredits({
  listedCoins,
  dexPairs,
  creditsPerMonth,
}: {
  readonly listedCoins: number
  readonly dexPairs: number
  readonly creditsPerMonth: number
}): CreditPlan {
  const perListing = Math.ceil(listedCoins / coinsPerCredit)
  const listedShare = dexPairs > 0 ? Math.max(1, Math.floor(creditsPerMonth / 2)) : creditsPerMonth
  const listedSeconds = secondsBetween(perListing, listedShare)
  const listedCreditsPerMonth = creditsOf(perListing, listedSeconds)
  const dexSeconds = secondsBetween(dexPairs, Math.max(1, creditsPerMonth - listedCreditsPerMonth))
  return { listedSeconds, dexSeconds, listedCreditsPerMonth, dexCreditsPerMonth: creditsOf(dexPairs, dexSeconds) }
}

/** What costs nothing, because there is nothing to ask yet, is looked at again at the fastest pace. */
function secondsBetween(creditsPerReading: number, credits: number): number {
  if (creditsPerReading === 0) return intervalSecondsMin
  const readings = Math.max(1, Math.floor(credits / creditsPerReading))
  return Math.max(intervalSecondsMin, Math.ceil(monthSeconds / readings))
}

function creditsOf(creditsPerReading: number, everySeconds: number): number {
  return creditsPerReading * Math.ceil(monthSeconds / everySeconds)
}

/**
 * Whether `spent` credits in all are in time at `nowMs`: a month's credits become free evenly from its first second, with a
 * head start of a twentieth. A server that starts again and again is held back by this, and never for longer than the month.
 * @returns 0, or the milliseconds until they are; when the month has fewer, until the next one begins
 */
export function waitMsForCredits(spent: number, creditsPerMonth: number, nowMs: number): number {
  const untilNextMonthMs = startOfNextMonthMs(nowMs) - nowMs
  if (spent > creditsPerMonth) return untilNextMonthMs
  const ahead = Math.max(1, Math.floor(creditsPerMonth * headStart))
  const freeAtMs = startOfMonthMs(nowMs) + Math.ceil(((spent - ahead) / creditsPerMonth) * monthSeconds * 1000)
  return Math.min(untilNextMonthMs, Math.max(0, freeAtMs - nowMs))
}

/** `2026-11`: the UTC month by which credits are counted. */
export function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7)
}

/** Unix milliseconds at which the credits of a UTC month are new again. */
export function startOfNextMonthMs(nowMs: number): number {
  const now = new Date(nowMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
}

/** Unix milliseconds at which the next UTC day begins. */
export function startOfNextDayMs(nowMs: number): number {
  const now = new Date(nowMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
}

function startOfMonthMs(nowMs: number): number {
  const now = new Date(nowMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
}
