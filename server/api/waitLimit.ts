import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientOf } from './clientOf.ts'

/** Far more than any client sends before it reads. A proxy sends none. */
const waitingMax = 128

/**
 * Ends the lines of who sends more and more requests without waiting for answers (pipelining), on one line or on many: node:http
 * works through megabytes of them before anybody else has a turn, and keeps them all. Counted for the connection's own address.
 * @returns whether the line was ended: nobody is there to be answered
 */
export function createWaitLimit(): (line: Socket, response: ServerResponse) => boolean {
  const ofClient = new Map<string, number>()
  const ofLine = new WeakMap<Socket, number>()
  const add = (line: Socket, client: string, count: number) => {
    ofLine.set(line, (ofLine.get(line) ?? 0) + count)
    const left = (ofClient.get(client) ?? 0) + count
    if (left > 0) ofClient.set(client, left)
    else ofClient.delete(client)
  }
  return (line, response) => {
    if (line.destroyed) return true
    // Nearly always: it is the next to be answered on its line.
    if (response.socket !== null) return false
    const client = clientOf({ ip: line.remoteAddress ?? '' })
    if ((ofClient.get(client) ?? 0) >= waitingMax) {
      line.destroy()
      return true
    }
    // What still waits when a line ends is waited for by nobody.
    if (!ofLine.has(line)) line.once('close', () => add(line, client, -(ofLine.get(line) ?? 0)))
    add(line, client, 1)
    response.once('close', () => {
      if ((ofLine.get(line) ?? 0) > 0) add(line, client, -1)
    })
    return false
  }
}
