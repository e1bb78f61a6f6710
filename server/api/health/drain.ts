import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
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
  /**
   * To be called before each answer: while draining, its connection is closed after it. True: `answer` is called a moment later,
   * when the listener is closed.
   */
  hold(response: ServerResponse, answer: () => void): boolean
  /** Calls `listener` at once when draining begins, so that readiness is off before anything else. */
  onBegin(listener: () => void): void
  /** Calls `listener` once no new connection is accepted: it ends what would otherwise never end, such as streams. */
  onListenerClosed(listener: () => void): void
  /** Resolves when all answers are out, or `finishMs` is over. Called again, it is the same drain. */
  run(times: DrainTimes): Promise<void>
}

/** How often connections without a request are closed. */
const sweepMs = 25
/**
 * The listener closes once nobody has connected and no answer was sent for `quietMs`: a client that has its answer sends its next request at
 * once. On a busy site that moment never comes. There the listener closes after `quietMsMax`, once the connections that wait are taken.
 */
const quietMs = 200
const quietMsMax = 1_000
/** A turn of the event loop that took longer had work in it, during which somebody may have connected. */
const quickMs = 5
/** Taking the connections that wait lasts no longer, also when new ones come on and on. */
const takeMsMax = 3_000
/** Answers held meanwhile. */
const heldMax = 2_000
/** A connection without a request may have one on its way: its client may be slow, or wait for a processor. After so long it has none. */
const silentMs = 500

/** Ends serving in the order that breaks no answer: readiness, listeners, connections. */
export function createDrain(): Drain {
  const lines = watchLines()
  const beginning: (() => void)[] = []
  const closed: (() => void)[] = []
  let [draining, answering, answered] = [false, 0, 0]
  let held: (() => void)[] | undefined
  let running: Promise<void> | undefined

  // While answers are held nobody comes back for the next one.
  const closeListeners = async () => {
    held = []
    const startMs = performance.now()
    const eventCount = () => lines.accepted() + answered
    for (let before = -1; eventCount() !== before || answering > 0; ) {
      before = eventCount()
      await sleep(quietMs)
      await takeWaiting(lines.accepted)
      if (performance.now() - startMs >= quietMsMax) break
    }
    const ended = lines.closeListeners()
    const answers = held
    held = undefined
    for (const answer of answers) answer()
    return { all: ended }
  }
  const run = async ({ noticeMs, finishMs }: DrainTimes) => {
    draining = true
    for (const listener of beginning) listener()
    await sleep(noticeMs)
    const over = sleep(finishMs, undefined, { ref: false })
    const ended = await closeListeners()
    for (const listener of closed) listener()
    // Right after a turn that read what had come: a request that waits to be read makes no connection busy, and closing it would break that.
    let timer: NodeJS.Timeout | undefined
    const begin = setTimeout(() => {
      timer = setInterval(() => setImmediate(lines.closeIdle), sweepMs)
    }, silentMs)
    try {
      await Promise.race([ended.all, over])
    } finally {
      clearTimeout(begin)
      clearInterval(timer)
    }
  }

  return {
    isDraining: () => draining,
    watch: lines.watch,
    hold: (response, answer) => {
      if (!draining) return false
      response.shouldKeepAlive = false
      if (held && held.length < heldMax) return held.push(answer) > 0
      answering += 1
      response.once('close', () => {
        answering -= 1
        answered += 1
      })
      return false
    },
    onBegin: (listener) => void beginning.push(listener),
    onListenerClosed: (listener) => void closed.push(listener),
    run: (times) => {
      running ??= run(times)
      return running
    },
  }
}

/**
 * Closing a listener resets the connections that wait. A turn of the event loop takes one of them, and more may come during its work. If
 * every turn is long, the first that took none after `quietMsMax` is enough.
 * @param accepted counts them
 */
async function takeWaiting(accepted: () => number): Promise<void> {
  const startMs = performance.now()
  for (let nowMs = startMs; nowMs - startMs < takeMsMax; ) {
    const [before, turnMs] = [accepted(), nowMs]
    await new Promise((turn) => setImmediate(turn))
    nowMs = performance.now()
    if (accepted() === before && (nowMs - turnMs < quickMs || nowMs - startMs >= quietMsMax)) return
  }
}

/** The servers that listen, and their connections. */
function watchLines() {
  const servers = new Set<Server>()
  const sockets = new Set<Socket>()
  let accepted = 0
  return {
    watch: (server: Server) => {
      servers.add(server)
      server.on('connection', (socket: Socket) => {
        accepted += 1
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
    },
    accepted: () => accepted,
    /** By that of node:http, connections without a request would be closed at once. @returns once all connections have ended */
    closeListeners: () =>
      Promise.all([...servers].map((server) => new Promise((resolve) => NetServer.prototype.close.call(server, resolve)))),
    closeIdle: () => {
      for (const server of servers) server.closeIdleConnections()
      // Browsers open connections ahead and send nothing on them: node:http counts those as busy.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
