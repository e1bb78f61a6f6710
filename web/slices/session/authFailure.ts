import { daySeconds, hourSeconds } from '@chainboard/core'
import { RequestError } from '../../lib/fetchJson.ts'

export type AuthField = 'username' | 'pin' | 'code'

/** Why somebody is not signed in, as the form says it, at the field that has to change if it is one. */
export type AuthFailure = {
  readonly text: string
  readonly field?: AuthField
  /** Seconds until it makes sense to try again. */
  readonly retryAfterSeconds?: number
}

/** What is wrong with a form before it is sent: the first thing only. */
export function findFormProblem({ username, pin }: { readonly username: string; readonly pin: string }): AuthFailure | undefined {
  if (username.trim() === '') return { text: 'Username is required', field: 'username' }
  if (pin === '') return { text: 'PIN is required', field: 'pin' }
  if (!/^[0-9]{4}$/.test(pin)) return { text: 'PIN must be 4 digits', field: 'pin' }
  return undefined
}

/**
 * A failed call in words: the server's, else `fallback`.
 * @throws what is no RequestError: that is a fault of ours
 */
export function toAuthFailure(error: unknown, fallback: string): AuthFailure {
  if (!(error instanceof RequestError)) throw error
  const { status, serverText, retryAfterSeconds } = error
  const field = findField(status, serverText ?? '')
  return { text: serverText ?? fallback, ...(field && { field }), ...(retryAfterSeconds && { retryAfterSeconds }) }
}

function findField(status: number | undefined, text: string): AuthField | undefined {
  if (status === 401) return 'pin'
  if (status === 409) return 'username'
  if (status !== 400) return undefined
  if (/^username/i.test(text)) return 'username'
  if (/^pin/i.test(text)) return 'pin'
  return /^code/i.test(text) ? 'code' : undefined
}

const minuteSeconds = 60

/** `45s`, `4:05`, `2h 5m`, `3d 4h`. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  if (whole < minuteSeconds) return `${whole}s`
  if (whole < hourSeconds) return `${Math.floor(whole / minuteSeconds)}:${String(whole % minuteSeconds).padStart(2, '0')}`
  const [length, part, names] =
    whole < daySeconds ? ([hourSeconds, minuteSeconds, 'hm'] as const) : ([daySeconds, hourSeconds, 'dh'] as const)
  return `${Math.floor(whole / length)}${names[0]} ${Math.floor((whole % length) / part)}${names[1]}`
}
