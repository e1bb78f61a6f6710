import { daySeconds, hourSeconds } from '@chainboard/core'

const minuteSeconds = 60
/** A unit is used from twice its length on. */
const units = [
  [daySeconds, 'days'],
  [hourSeconds, 'h'],
  [minuteSeconds, 'min'],
  [1, 's'],
] as const

/** Waits longer than this are worth another way in. */
const longWaitSeconds = hourSeconds

/** `Too many attempts. Try again in 30 s.`; strangers who would wait long are told how an owner gets in nevertheless. */
export function describeWait(seconds: number, caller: 'known' | 'stranger'): string {
  const [length, unit] = units.find(([each]) => seconds >= 2 * each) ?? [1, 's']
  const wait = `Too many attempts. Try again in ${Math.ceil(seconds / length)} ${unit}`
  if (caller === 'known' || seconds <= longWaitSeconds) return `${wait}.`
  return `${wait}, from a network you have signed in from before, or with a sign-in code.`
}
