import { describePinFlaw, Failure, findPinFlaw } from '@chainboard/core'

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

/**
 * A PIN that an account may get from now on: not one that is tried first. Accounts that have one keep it.
 * @throws Failure `request-invalid`, with the reason and without the PIN
 */
export function parseNewPin(value: unknown, username: string): string {
  const pin = parsePin(value)
  const flaw = findPinFlaw(pin, username)
  if (flaw) throw new Failure('request-invalid', describePinFlaw(flaw))
  return pin
}
