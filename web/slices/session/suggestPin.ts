import { findPinFlaw } from '@chainboard/core'

const pins = 10_000

/** A PIN by chance that is not easy to guess, for a name. */
export function suggestPin(username: string): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  const pin = String(random % pins).padStart(4, '0')
  return findPinFlaw(pin, username) ? suggestPin(username) : pin
}
