import { toLoggedError } from '@chainboard/core'
import { hideAddresses } from './hideAddresses.ts'
import type { LogStream } from './logStream.ts'

/** How lines of the log are written: errors without keys and of a bounded length, and no address that a visitor caused. */
export function toLogger(level: string, stream: Pick<LogStream, 'write'>) {
  return { level, stream, serializers: { err: toLoggedError }, hooks: { streamWrite: hideAddresses } }
}
