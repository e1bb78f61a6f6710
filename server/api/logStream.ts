import { pino } from 'pino'

const waitingBytesDefault = 16 * 1024 * 1024
/** A reader that stalls has so long for the last lines: after the app ended, and again when the process ends. */
const lastLinesMs = 1_000

export type LogStream = { write(line: string): void; flushSync(): void; end(): void }

/**
 * Where the log goes. Lines that its reader does not take wait, and are tried again, until `end`: by itself pino tries for good,
 * which keeps the process from ending.
 * @param fd the standard output, unless a test says otherwise
 * @param waitingBytesMax so much waits; the lines after that are dropped
 */
export function openLogStream({ fd = 1, waitingBytesMax = waitingBytesDefault } = {}): LogStream {
  let untilMs = Number.POSITIVE_INFINITY
  const retryEAGAIN = () => performance.now() < untilMs
  const stream = pino.destination({ dest: fd, sync: false, maxLength: waitingBytesMax, retryEAGAIN })
  // Of no reader, and of one that took nothing until the end.
  stream.on('error', () => undefined)
  const flush = stream.flushSync.bind(stream)
  const end = () => {
    untilMs = performance.now() + lastLinesMs
  }
  // Pino calls it when the process ends.
  stream.flushSync = () => {
    end()
    try {
      flush()
    } catch {
      // Nobody reads it.
    }
  }
  return { write: (line) => void stream.write(line), flushSync: () => stream.flushSync(), end }
}
