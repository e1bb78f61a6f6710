import { Failure } from '@chainboard/core'
import { networkOf } from '../budgets/networkOf.ts'
import type { CallKind } from './costOf.ts'

export type FairGateLimits = {
  readonly atOnce: number
  /** Of them, calls of each kind. */
  readonly kindAtOnce: Readonly<Record<CallKind, number>>
  /** Of them, calls of one client. */
  readonly ofClientAtOnce: number
  readonly waitingMax: number
  readonly waitMsMax: number
  /** Calls that begin in a second, however quickly they are answered: each costs this server's own processor. */
  readonly startsPerSecond: number
  /** Calls that may begin at once after a pause. */
  readonly startsAtOnce: number
}

export type FairGateDeps = {
  readonly limits: FairGateLimits
  /** Milliseconds of any clock that never goes back. */
  readonly nowMs: () => number
  /** How many times as many calls may run now as `limits` says: 1 or more. Read anew for each call. */
  readonly widthTimes: () => number
}

/** Whose call it is, and of what kind. */
export type Caller = { readonly client: string; readonly kind: CallKind }

/** Calls that run, and those that wait for a place. */
export type FairGate = {
  /**
   * Runs work when there is a place for its caller. The work may say for how many milliseconds its place stays empty after it.
   * @throws Failure `busy` when too many wait, or it has waited too long; what the work throws
   */
  run<T>(caller: Caller, work: (leaveEmpty: (ms: number) => void) => Promise<T>): Promise<T>
}

type Waiting = Caller & { readonly network: string; readonly start: () => void; readonly sendAway: () => void }

/**
 * A place goes to the client that has fewest calls with the node, then to the network that has: whoever sends many calls waits for his own, and
 * one that comes for the first time is next. When too many wait, the newest call of the client that has most is sent away.
 */
export function createFairGate({ limits, nowMs, widthTimes }: FairGateDeps): FairGate {
  const pace = createPace(limits, nowMs)
  const running = new Map<string, number>()
  const waiting = new Set<Waiting>()
  const waitingOf = new Map<string, number>()
  const kinds: Record<CallKind, number> = { light: 0, logs: 0, code: 0 }
  let count = 0

  const enter = ({ client, network, kind }: Omit<Waiting, 'start' | 'sendAway'>, by: 1 | -1) => {
    count += by
    kinds[kind] += by
    change(running, `client ${client}`, by)
    change(running, `network ${network}`, by)
  }
  const start = (call: Omit<Waiting, 'start' | 'sendAway'>) => {
    pace.start()
    enter(call, 1)
  }
  const ofClient = ({ client }: Pick<Caller, 'client'>) => running.get(`client ${client}`) ?? 0
  const ofNetwork = ({ network }: Pick<Waiting, 'network'>) => running.get(`network ${network}`) ?? 0
  const isOpen = () => count < Math.floor(limits.atOnce * widthTimes()) && pace.mayStart()
  const mayRun = (call: Caller) => {
    const times = widthTimes()
    return (
      kinds[call.kind] < Math.floor(limits.kindAtOnce[call.kind] * times) &&
      ofClient(call) < Math.floor(limits.ofClientAtOnce * times)
    )
  }
  const isBefore = (one: Waiting, other: Waiting) =>
    ofClient(one) !== ofClient(other) ? ofClient(one) < ofClient(other) : ofNetwork(one) < ofNetwork(other)
  const findNext = () => {
    let next: Waiting | undefined
    for (const call of waiting) if (mayRun(call) && (!next || isBefore(call, next))) next = call
    return next
  }
  const leave = (call: Waiting) => {
    if (waiting.delete(call)) change(waitingOf, call.client, -1)
  }
  const startNext = () => {
    while (waiting.size > 0 && isOpen()) {
      const next = findNext()
      if (!next) return
      leave(next)
      start(next)
      next.start()
    }
    if (waiting.size > 0) pace.callWhenOpen(startNext)
  }
  /** @returns whether there is room for one more of this client */
  const makeRoom = (client: string): boolean => {
    if (waiting.size < limits.waitingMax) return true
    const most = [...waiting].reduce<Waiting | undefined>(
      (found, each) => (found && (waitingOf.get(found.client) ?? 0) > (waitingOf.get(each.client) ?? 0) ? found : each),
      undefined,
    )
    if (!most || (waitingOf.get(most.client) ?? 0) <= (waitingOf.get(client) ?? 0) + 1) return false
    leave(most)
    most.sendAway()
    return true
  }
  const waitForPlace = async (caller: Omit<Waiting, 'start' | 'sendAway'>) => {
    if (!makeRoom(caller.client)) throw tooMany()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const call: Waiting = { ...caller, start: resolve, sendAway: () => reject(tooMany()) }
    waiting.add(call)
    change(waitingOf, caller.client, 1)
    pace.callWhenOpen(startNext)
    const late = setTimeout(() => {
      leave(call)
      reject(tooMany())
    }, limits.waitMsMax)
    try {
      await promise
    } finally {
      clearTimeout(late)
    }
  }
  const runThere = async <T>(
    caller: Omit<Waiting, 'start' | 'sendAway'>,
    work: (leaveEmpty: (ms: number) => void) => Promise<T>,
  ) => {
    let emptyMs = 0
    const leavePlace = () => {
      enter(caller, -1)
      startNext()
    }
    try {
      return await work((ms) => {
        emptyMs = ms
      })
    } finally {
      if (emptyMs > 0) setTimeout(leavePlace, emptyMs).unref()
      else leavePlace()
    }
  }
  return {
    run: async ({ client, kind }, work) => {
      const caller = { client, kind, network: networkOf(client) }
      // Nobody waits who may run.
      if (isOpen() && mayRun(caller)) start(caller)
      else await waitForPlace(caller)
      return runThere(caller, work)
    },
  }
}

/** Lets `startsPerSecond` calls begin, and `startsAtOnce` after a pause. */
function createPace({ startsPerSecond, startsAtOnce }: FairGateLimits, nowMs: () => number) {
  const msPerStart = 1_000 / startsPerSecond
  /** When all of `startsAtOnce` may begin again. */
  let fullAtMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const openInMs = () => fullAtMs - (startsAtOnce - 1) * msPerStart - nowMs()
  return {
    mayStart: () => openInMs() <= 0,
    start: () => {
      fullAtMs = Math.max(fullAtMs, nowMs()) + msPerStart
    },
    /** Calls `work` once the next call may begin, if none may now. Who waits for something else is called when that ends. */
    callWhenOpen: (work: () => void) => {
      const ms = openInMs()
      if (ms <= 0 || timer) return
      timer = setTimeout(() => {
        timer = undefined
        work()
      }, Math.ceil(ms))
    },
  }
}

function change(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + by
  if (left > 0) counts.set(name, left)
  else counts.delete(name)
}

function tooMany(): Failure {
  return new Failure('busy', 'Too many calls to the node. Try again later', { retryable: true })
}
