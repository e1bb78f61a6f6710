import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type DrainTimes = {
  /** How long the listener stays open after readiness went off, so that a balancer notices. Milliseconds. */
  readonly noticeMs: number
  /** How long requests under way may take after that. Milliseconds. */
  readonly finishMs: number
}

/** The way from serving to closed without breaking an answer. */
export type Drain = {
  isDraining(): boolean
  /** To be called with each server that listens. */
  watch(server: Server): void
  /** To be called before each answer: while draining, its connection is closed after it. */
  mark(response: ServerResponse): void
  /** Calls `listener` at once when draining begins, so that readiness is off before anything else. */
  onBegin(listener: () => void): void
  /** Calls `listener` when no new connection is taken any more: what lasts for ever is to be ended then. */
  onListenerClosed(listener: () => void): void
  /** Resolves when all answers are out, or `finishMs` is over. Called again, it is the same drain. */
  run(times: DrainTimes): Promise<void>
}

/** How often connections without a request are closed. */
const sweepMs = 25
/** A connection that has not sent a byte may still have a request on its way. After so long it has none. */
const silentMs = 500

export function createDrain(): Drain {
  const servers = new Set<Server>()
  const sockets = new Set<Socket>()
  const beginning: (() => void)[] = []
  const closed: (() => void)[] = []
  let draining = false
  let running: Promise<void> | undefined

  const closeIdle = (isOver: boolean) => {
    for (const server of servers) server.closeIdleConnections()
    // Browsers open connections ahead and send nothing on them: node:http counts those as busy.
    if (isOver) for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  const run = async ({ noticeMs, finishMs }: DrainTimes) => {
    draining = true
    for (const listener of beginning) listener()
    await sleep(noticeMs)
    // Right after the loop took all connections that wait: closing the listener resets those it has not taken.
    await new Promise((resolve) => setImmediate(resolve))
    const ended = Promise.all([...servers].map((server) => new Promise((resolve) => server.close(resolve))))
    for (const listener of closed) listener()
    const startMs = performance.now()
    const timer = setInterval(() => closeIdle(performance.now() - startMs >= silentMs), sweepMs)
    try {
      await Promise.race([ended, sleep(finishMs, undefined, { ref: false })])
    } finally {
      clearInterval(timer)
    }
  }

  return {
    isDraining: () => draining,
    watch: (server) => {
      servers.add(server)
      server.on('connection', (socket: Socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
    },
    mark: (response) => {
      if (draining) response.shouldKeepAlive = false
    },
    onBegin: (listener) => void beginning.push(listener),
    onListenerClosed: (listener) => void closed.push(listener),
    run: (times) => {
      running ??= run(times)
      return running
    },
  }
}
