import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'

/** File descriptors for everything but visitors: the database, the nodes, the probes, the page's files. */
const reserved = 256

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
  server.maxConnections = Math.max(most - reserved, Math.floor(most / 2))
  server.on('drop', onDrop)
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
