import { setTimeout as sleep } from 'node:timers/promises'
import type { RpcNode } from './rpcNode.ts'
import { toFailure } from './toFailure.ts'

/** How long a node rests that refused a call for its rate and named no time. */
const restMs = 1_000
/** Refusals within this time are of one burst: they slow the pace once. */
const burstMs = 500
/** The share of the pace that is left after a refusal. */
const slower = 0.8
/** What the pace gains while nothing is refused: quickly until it was refused a second time, then slowly. */
const search = { factor: 1.5, everyMs: 2_000 }
const hold = { factor: 1.1, everyMs: 10_000 }
const perSecondMin = 1
/** A call that was refused so often in a row fails, and one whose node wants a longer rest: its caller knows what else to do. */
const refusalsMax = 6
const restMsMax = 15_000
const secondMs = 1_000
/** A node that has answered so many calls and refused none for its rate is taken for one without a limit. */
const unlimitedAfter = 200

export type Clock = { nowMs(): number; pause(ms: number): Promise<unknown> }

/**
 * Sends a node's calls at the pace that it bears. It is learned from refusals: a refused call waits and is sent again, and those behind it
 * wait as well. Without a refusal nothing waits. A quota that is used up fails at once, and so does every other call that fails.
 */
export function paceCalls(node: RpcNode, clock: Clock = systemClock): RpcNode {
  const { nowMs } = clock
  const pace = createPace()
  /** As many as callers wait: each of them waits for its own call. */
  const line: (() => void)[] = []
  let isMoving = false

  const moveLine = async (): Promise<void> => {
    if (isMoving) return
    isMoving = true
    while (line.length > 0) {
      const waitMs = pace.untilNextMs(nowMs())
      if (waitMs > 0) {
        await clock.pause(waitMs)
        continue
      }
      pace.send(nowMs())
      line.shift()?.()
    }
    isMoving = false
  }
  const takeTurn = (signal: AbortSignal | undefined): Promise<void> | undefined => {
    signal?.throwIfAborted()
    if (line.length === 0 && pace.untilNextMs(nowMs()) <= 0) return void pace.send(nowMs())
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.splice(line.indexOf(go), 1)
        reject(signal?.reason)
      }
      const go = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      line.push(go)
      signal?.addEventListener('abort', leave)
      void moveLine()
    })
  }

  return {
    waiting: () => line.length,
    isLimited: () => pace.isLimited(),
    request: async (method, params, signal) => {
      for (let refusals = 1; ; refusals += 1) {
        await takeTurn(signal)
        try {
          const answer = await node.request(method, params, signal)
          pace.answer(nowMs())
          return answer
        } catch (error) {
          const askedMs = readRest(error)
          if (askedMs > restMsMax) throw error
          pace.refuse(nowMs(), askedMs)
          if (refusals === refusalsMax) throw error
        }
      }
    },
  }
}

/** How long to leave the node alone; endless where it did not refuse for its rate. */
function readRest(error: unknown): number {
  const { code, detail } = toFailure(error, { ofRange: false })
  if (code !== 'rpc-rate-limited' || detail['refusal'] === 'quota-exhausted') return Number.POSITIVE_INFINITY
  return typeof detail['retryAfterMs'] === 'number' ? detail['retryAfterMs'] : restMs
}

/** What is known of a node's rate. Times are by one clock. */
function createPace() {
  /** Undefined until a call was refused for the rate. */
  let perSecond: number | undefined
  let [slowed, answered] = [0, 0]
  let [nextAtMs, restUntilMs] = [0, 0]
  let [slowedAtMs, changedAtMs] = [Number.NEGATIVE_INFINITY, 0]
  /** Of the last second, and of the rest after the first refusal. */
  const answeredAtMs: number[] = []

  /** The first pace is what was answered of the calls before the first refusal. */
  const begin = () => {
    perSecond = Math.max(perSecondMin, answeredAtMs.length * slower)
    changedAtMs = restUntilMs
  }
  const quicken = (now: number) => {
    const { factor, everyMs } = slowed > 1 ? hold : search
    if (perSecond === undefined || now - changedAtMs < everyMs) return
    perSecond *= factor
    changedAtMs = now
  }

  return {
    isLimited: () => slowed > 0 || answered < unlimitedAfter,
    untilNextMs: (now: number) => Math.max(restUntilMs, nextAtMs) - now,
    send: (now: number) => {
      if (slowed === 0) return
      if (perSecond === undefined) begin()
      quicken(now)
      nextAtMs = now + secondMs / (perSecond ?? perSecondMin)
    },
    answer: (now: number) => {
      answered += 1
      answeredAtMs.push(now)
      if (restUntilMs <= now) while ((answeredAtMs[0] ?? now) <= now - secondMs) answeredAtMs.shift()
    },
    refuse: (now: number, askedMs: number) => {
      restUntilMs = Math.max(restUntilMs, now + askedMs)
      if (now - slowedAtMs < burstMs) return
      slowed += 1
      slowedAtMs = now
      if (perSecond === undefined) return
      perSecond = Math.max(perSecondMin, perSecond * slower)
      changedAtMs = restUntilMs
    },
  }
}

const systemClock: Clock = { nowMs: () => performance.now(), pause: (ms) => sleep(ms) }
