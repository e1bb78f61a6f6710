import { toLoggedError } from '@chainboard/core'
import { hideAddresses } from './hideAddresses.ts'

/** How lines of the log are written: errors without keys and of a bounded length, and no address that a visitor caused. False: none are. */
export function toLogger(level: string) {
  return level === 'silent' ? false : { level, serializers: { err: toLoggedError }, hooks: { streamWrite: hideAddresses } }
}
