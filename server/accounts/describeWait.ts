import { lastWaitSeconds } from './pinGuard.ts'

const minuteSeconds = 60
/** The ways in that wrong PINs elsewhere do not close. */
const otherWays = {
  stranger: 'Sign in from a browser or network you have used here before, or with a sign-in code.',
  known: 'Use another browser or network you have signed in from before, or a sign-in code.',
} as const

/**
 * `Too many attempts. Try again in 30 s.`, also `2 min`, up to `60 min`. Beyond an hour somebody is guessing: waiting is no
 * advice then, and the text names the other ways in.
 */
export function describeWait(seconds: number, caller: 'known' | 'stranger'): string {
  if (seconds > lastWaitSeconds) return `Too many wrong PINs. ${otherWays[caller]}`
  // A unit is used from twice its length on.
  const [length, unit] = seconds >= 2 * minuteSeconds ? [minuteSeconds, 'min'] : [1, 's']
  return `Too many attempts. Try again in ${Math.ceil(seconds / length)} ${unit}.`
}
