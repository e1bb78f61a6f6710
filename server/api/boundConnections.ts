import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientOf } from './clientOf.ts'

/** File descriptors for everything but visitors: the database, the nodes, the probes, the page's files. */
const reserved = 256

/**
 * While at least half of all connections are free, a client may hold any number. Beyond that, one client may hold an eighth: the rest is for
 * others. A reverse proxy is one client here, and always gets at least half.
 */
const shares = { free: 1 / 2, ofClient: 1 / 8 } as const

/**
 * Limits the server's connections, so that some file descriptors stay free for the rest of the process. Without the limit, one client with
 * many connections could take them all, and the server could reach neither its database nor its nodes. No limit is set where the system
 * does not tell its own.
 * @param limits the system's file with it
 * @param onDrop a connection was closed because all are taken
 */
export function boundConnections(server: Server, onDrop: () => void, limits = '/proc/self/limits'): void {
  const most = readOpenFilesMax(limits)
  if (most === undefined) return
  const max = Math.max(most - reserved, Math.floor(most / 2))
  server.maxConnections = max
  server.on('drop', onDrop)
  shareConnections(server, max, onDrop)
}

/** Closes connections of a client that has many, once most of them are in use. */
function shareConnections(server: Server, max: number, onDrop: () => void): void {
  const counts = new Map<string, number>()
  let sum = 0
  server.on('connection', (socket: Socket) => {
    const client = clientOf({ ip: socket.remoteAddress ?? '' })
    const own = counts.get(client) ?? 0
    if (sum >= max * shares.free && own >= max * shares.ofClient) {
      socket.destroy()
      return onDrop()
    }
    sum += 1
    counts.set(client, own + 1)
    socket.once('close', () => {
      sum -= 1
      const left = (counts.get(client) ?? 1) - 1
      if (left > 0) counts.set(client, left)
      else counts.delete(client)
    })
  })
}

function readOpenFilesMax(limits: string): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(limits, 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    // Only Linux has such a file.
    return undefined
  }
}
