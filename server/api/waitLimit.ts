import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Far more than any client sends before it reads. */
const waitingMax = 256

/**
 * Ends a line that sends more and more requests without waiting for answers (pipelining): node:http works through megabytes of
 * them before anybody else has a turn, and keeps them all. @returns whether the line was ended: nobody is there to be answered
 */
export function createWaitLimit(): (line: Socket, response: ServerResponse) => boolean {
  const waiting = new WeakMap<Socket, number>()
  return (line, response) => {
    if (line.destroyed) return true
    // Nearly always: it is the next to be answered on its line.
    if (response.socket !== null) return false
    const count = (waiting.get(line) ?? 0) + 1
    if (count > waitingMax) {
      line.destroy()
      return true
    }
    waiting.set(line, count)
    response.once('close', () => waiting.set(line, (waiting.get(line) ?? 0) - 1))
    return false
  }
}
