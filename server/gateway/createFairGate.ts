import { Failure } from '@chainboard/core'
import { networkOf } from '../budgets/networkOf.ts'
import type { CallKind, Rest } from './costOf.ts'
import { createPlaceUse } from './createPlaceUse.ts'

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
  /** How many times as many calls may run now as `limits` says: 1 or more. Read again for each call. */
  readonly widthTimes: () => number
}

/** Whose call it is, and of what kind. */
export type Caller = { readonly client: string; readonly kind: CallKind }

export type LeaveEmpty = (rest: Rest) => void

/** Calls that run, and those that wait for a place. */
export type FairGate = {
  /**
   * Runs work when there is a place for its caller. The work may say how long its place stays empty after it.
   * @throws Failure `busy` when too many wait, or it has waited too long; what the work throws
   */
  run<T>(caller: Caller, work: (leaveEmpty: LeaveEmpty) => Promise<T>): Promise<T>
}

/** A client whose turn is delayed by less than this has used little: 0.45 s of one place in the last minute. */
const modestDelayMs = 4_500
/** A call that has waited this long is let in like theirs. Otherwise a crowd of such clients would keep others out. */
const longMs = 8_000

/** `isModest`: had used little when it came. Asked once, because a flood looks through all that wait with each of its calls. */
type Runner = Caller & { readonly network: string; readonly cameAtMs: number; readonly isModest: boolean }
type Waiting = Runner & { readonly start: () => void; readonly sendAway: () => void }

/**
 * A place goes to the call whose turn is first: the time when it came, and later the more of the places its client or network has used lately
 * (`createPlaceUse.ts`). So clients that call seldom overtake those that call without a pause, and no call is overtaken for more than ten seconds.
 * When too many wait, the newest call of the client that has most in the queue is refused, or of the network that has, or else the one whose turn is
 * last.
 */
export function createFairGate({ limits, nowMs, widthTimes }: FairGateDeps): FairGate {
  const pace = createPace(limits, nowMs)
  const use = createPlaceUse({ nowMs, widthTimes, startMs: 1_000 / limits.startsPerSecond })
  const turnMs = (call: Runner) => call.cameAtMs + use.delayMs(call)
  const places = createPlaces(limits, { widthTimes, nowMs })
  const queue = createQueue(limits, turnMs)
  const isOpen = () => !places.areFull() && pace.mayStart()
  const start = (call: Runner) => {
    pace.start()
    use.enter(call)
    places.enter(call)
  }
  const startNext = () => {
    while (!queue.isEmpty() && isOpen()) {
      const next = queue.takeNext(places.mayRun)
      if (!next) return
      start(next)
      next.start()
    }
    if (!queue.isEmpty()) pace.callWhenOpen(startNext)
  }
  const waitForPlace = async (runner: Runner) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const call: Waiting = { ...runner, start: resolve, sendAway: () => reject(tooMany()) }
    if (!queue.add(call)) throw tooMany()
    pace.callWhenOpen(startNext)
    const late = setTimeout(() => {
      queue.leave(call)
      call.sendAway()
    }, limits.waitMsMax)
    try {
      await promise
    } finally {
      clearTimeout(late)
    }
  }
  const runThere = async <T>(runner: Runner, work: (leaveEmpty: LeaveEmpty) => Promise<T>) => {
    let rest: Rest = { ms: 0, modestMs: 0 }
    const letModestIn = () => {
      places.leaveEmpty(runner)
      after(rest.ms - rest.modestMs, () => {
        use.leave(runner)
        places.giveBack(runner)
        startNext()
      })
      startNext()
    }
    try {
      return await work((told) => {
        rest = told
      })
    } finally {
      after(rest.modestMs, letModestIn)
    }
  }
  return {
    run: async ({ client, kind }, work) => {
      const subject = { client, network: networkOf(client) }
      const runner = { ...subject, kind, cameAtMs: nowMs(), isModest: use.delayMs(subject) < modestDelayMs }
      // Those who wait have the place that is free now: timers are late, and who comes often would be there before them.
      startNext()
      // A call that may run does not wait.
      if (isOpen() && places.mayRun(runner)) start(runner)
      else await waitForPlace(runner)
      return runThere(runner, work)
    },
  }
}

/** The calls that run, by client and kind, and the places that are empty after one. */
function createPlaces(
  { atOnce, kindAtOnce, ofClientAtOnce }: FairGateLimits,
  { widthTimes, nowMs }: Omit<FairGateDeps, 'limits'>,
) {
  const ofClients = new Map<string, number>()
  const running: Record<CallKind, number> = { light: 0, logs: 0, code: 0 }
  const empty: Record<CallKind, number> = { light: 0, logs: 0, code: 0 }
  const widen = (places: number) => Math.floor(places * widthTimes())
  return {
    enter: ({ client, kind }: Caller) => {
      running[kind] += 1
      change(ofClients, client, 1)
    },
    /** The call is over, and its place is given to nobody but the modest. */
    leaveEmpty: ({ kind }: Caller) => {
      running[kind] -= 1
      empty[kind] += 1
    },
    giveBack: ({ client, kind }: Caller) => {
      empty[kind] -= 1
      change(ofClients, client, -1)
    },
    areFull: () => running.light + running.logs + running.code >= widen(atOnce),
    mayRun: ({ client, kind, isModest, cameAtMs }: Runner) => {
      const [most, taken] = [widen(kindAtOnce[kind]), running[kind] + empty[kind]]
      // One at a time gets a place that is empty: a crowd in which each asks for little is a crowd.
      const isFree = isModest || nowMs() - cameAtMs >= longMs ? running[kind] < most && taken <= most : taken < most
      return isFree && (ofClients.get(client) ?? 0) < widen(ofClientAtOnce)
    },
  }
}

/** The calls that wait for a place, the oldest first. */
function createQueue({ waitingMax }: FairGateLimits, turnMs: (call: Runner) => number) {
  const waiting = new Set<Waiting>()
  const ofClients = new Map<string, number>()
  const ofNetworks = new Map<string, number>()
  const ofClient = ({ client }: Caller) => ofClients.get(client) ?? 0
  const ofNetwork = ({ network }: Runner) => ofNetworks.get(network) ?? 0
  const count = ({ client, network }: Runner, by: 1 | -1) => {
    change(ofClients, client, by)
    change(ofNetworks, network, by)
  }
  const leave = (call: Waiting) => {
    if (waiting.delete(call)) count(call, -1)
  }
  const findNewestOfMost = (countOf: (call: Runner) => number): Waiting | undefined => {
    let most: Waiting | undefined
    for (const call of waiting) if (!most || countOf(call) >= countOf(most)) most = call
    return most
  }
  const findLast = (): Waiting | undefined => {
    let last: { readonly call: Waiting; readonly turnMs: number } | undefined
    for (const call of waiting) {
      const turn = { call, turnMs: turnMs(call) }
      if (!last || turn.turnMs >= last.turnMs) last = turn
    }
    return last?.call
  }
  /**
   * Who has to go for a newcomer: a call of the client that has most, or of the network, which may have a client for each call, or else the one
   * whose turn is last.
   */
  const findGreediest = (newcomer: Runner): Waiting | undefined => {
    const ofMost = findNewestOfMost(ofClient)
    if (ofMost && ofClient(ofMost) > ofClient(newcomer) + 1) return ofMost
    const ofCrowd = findNewestOfMost(ofNetwork)
    if (ofCrowd && ofClient(ofCrowd) >= ofClient(newcomer) && ofNetwork(ofCrowd) > ofNetwork(newcomer) + 1) return ofCrowd
    const last = findLast()
    return last && ofClient(last) >= ofClient(newcomer) && turnMs(last) > turnMs(newcomer) ? last : undefined
  }
  const makeRoom = (newcomer: Runner): boolean => {
    if (waiting.size < waitingMax) return true
    const greediest = findGreediest(newcomer)
    if (!greediest) return false
    leave(greediest)
    greediest.sendAway()
    return true
  }
  return {
    leave,
    isEmpty: () => waiting.size === 0,
    /** @returns false where the queue is full of clients and networks that have no more calls in it, and of calls whose turn is before this one's */
    add: (call: Waiting): boolean => {
      if (!makeRoom(call)) return false
      waiting.add(call)
      count(call, 1)
      return true
    },
    /** The next one of those that may run, out of the queue. */
    takeNext: (mayRun: (call: Runner) => boolean): Waiting | undefined => {
      let next: { readonly call: Waiting; readonly turnMs: number } | undefined
      for (const call of waiting) {
        if (!mayRun(call)) continue
        const turn = { call, turnMs: turnMs(call) }
        if (!next || turn.turnMs < next.turnMs) next = turn
      }
      if (next) leave(next.call)
      return next?.call
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

function after(ms: number, work: () => void): void {
  if (ms > 0) setTimeout(work, ms).unref()
  else work()
}

function change(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + by
  if (left > 0) counts.set(name, left)
  else counts.delete(name)
}

function tooMany(): Failure {
  return new Failure('busy', 'Too many calls to the node. Try again later', { retryable: true })
}
