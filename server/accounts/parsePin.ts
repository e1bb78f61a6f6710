import { Failure } from '@chainboard/core'

/**
 * Exactly four digits, as text. What was found is never said: it may be somebody's PIN.
 * @param missing what to say when there is none
 * @throws Failure `request-invalid`
 */
export function parsePin(value: unknown, missing = 'PIN is required'): string {
  if (value === undefined || value === null || value === '') throw new Failure('request-invalid', missing)
  if (typeof value !== 'string' || !/^[0-9]{4}$/.test(value)) throw new Failure('request-invalid', 'PIN must be 4 digits')
  return value
}
