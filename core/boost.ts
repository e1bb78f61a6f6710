import { hourSeconds } from './periods.ts'

/** What one payment bought at first, and what the badge and the bar are measured in. */
const boostHours = 24
const minuteSeconds = 60
const barPercentMin = 5

/** What is left of a boost. `expirationTime` is in unix seconds. */
export type BoostInfo = {
  readonly isBoosted: boolean
  readonly expirationTime: number
  readonly remainingHours: number
  readonly remainingMinutes: number
}

/** What a token's entry says of its boost. */
export function toBoostInfo(expiresAtSeconds: number, nowSeconds: number): BoostInfo {
  const left = Math.max(0, Math.floor(expiresAtSeconds - nowSeconds))
  return {
    isBoosted: left > 0,
    expirationTime: expiresAtSeconds,
    remainingHours: Math.floor(left / hourSeconds),
    remainingMinutes: Math.floor((left % hourSeconds) / minuteSeconds),
  }
}

/** How many days' worth of boost is left, the running one counted whole: 1 below 24 hours, 2 from 24, 3 from 48. */
export function toBoostMultiplier(leftSeconds: number): number {
  return Math.max(1, Math.floor(leftSeconds / (boostHours * hourSeconds)) + 1)
}

/** Width of the bar in percent: what is left of a day, 5 at least so that it can be seen, 100 from a day on. */
export function toBoostBarPercent(leftSeconds: number): number {
  return Math.min(100, Math.max(barPercentMin, (100 * leftSeconds) / (boostHours * hourSeconds)))
}
