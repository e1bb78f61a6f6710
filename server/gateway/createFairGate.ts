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
  /** How many times as many calls may run now as `limits` says: 1 or more. Read again for each call. */
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

/**
 * A call counts for so long for whose turn it is, answered or not: where calls wait for the pace, hardly any is with the node when the next
 * one begins.
 */
const countedMs = 250

type Runner = Caller & { readonly network: string }
type Waiting = Runner & { readonly start: () => void; readonly sendAway: () => void }

/**
 * A place goes to the client that has fewest calls with the node, then to the network that has, then to who has begun fewest just now: a client
 * that sends many calls waits behind its own, and one that comes for the first time is next. When too many wait, the newest call of the client
 * that has most is refused, or of the network that has.
 */
export function createFairGate({ limits, nowMs, widthTimes }: FairGateDeps): FairGate {
  const pace = createPace(limits, nowMs)
  const places = createPlaces(limits, { widthTimes, nowMs })
  const queue = createQueue(limits)
  const isOpen = () => !places.areFull() && pace.mayStart()
  const start = (call: Runner) => {
    pace.start()
    places.enter(call)
  }
  const startNext = () => {
    while (!queue.isEmpty() && isOpen()) {
      const next = queue.takeNext(places)
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
  const runThere = async <T>(runner: Runner, work: (leaveEmpty: (ms: number) => void) => Promise<T>) => {
    let emptyMs = 0
    const leavePlace = () => {
      places.leave(runner)
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
      const runner = { client, kind, network: networkOf(client) }
      // Those who wait have the place that is free now: timers are late, and who comes often would be there before them.
      startNext()
      // A call that may run does not wait.
      if (isOpen() && places.mayRun(runner)) start(runner)
      else await waitForPlace(runner)
      return runThere(runner, work)
    },
  }
}

type Places = ReturnType<typeof createPlaces>

/** The calls that run, by client, network and kind. */
function createPlaces(
  { atOnce, kindAtOnce, ofClientAtOnce }: FairGateLimits,
  { widthTimes, nowMs }: Pick<FairGateDeps, 'widthTimes' | 'nowMs'>,
) {
  const turns = createTurns(nowMs)
  const ofClients = new Map<string, number>()
  const ofNetworks = new Map<string, number>()
  const kinds: Record<CallKind, number> = { light: 0, logs: 0, code: 0 }
  let count = 0
  const move = ({ client, network, kind }: Runner, by: 1 | -1) => {
    count += by
    kinds[kind] += by
    change(ofClients, client, by)
    change(ofNetworks, network, by)
  }
  const widen = (places: number) => Math.floor(places * widthTimes())
  const ofClient = ({ client }: Runner) => ofClients.get(client) ?? 0
  const ofNetwork = ({ network }: Runner) => ofNetworks.get(network) ?? 0
  const counts = [ofClient, ofNetwork, turns.ofClient, turns.ofNetwork]
  return {
    enter: (call: Runner) => {
      turns.note(call)
      move(call, 1)
    },
    leave: (call: Runner) => move(call, -1),
    areFull: () => count >= widen(atOnce),
    mayRun: (call: Runner) => kinds[call.kind] < widen(kindAtOnce[call.kind]) && ofClient(call) < widen(ofClientAtOnce),
    isBefore: (one: Runner, other: Runner) => {
      const unequal = counts.find((count) => count(one) !== count(other))
      return unequal !== undefined && unequal(one) < unequal(other)
    },
  }
}

/** The calls that began just now, by client and network. */
function createTurns(nowMs: () => number) {
  const ofClients = new Map<string, number>()
  const ofNetworks = new Map<string, number>()
  const begun: { readonly call: Runner; readonly untilMs: number }[] = []
  const count = ({ client, network }: Runner, by: 1 | -1) => {
    change(ofClients, client, by)
    change(ofNetworks, network, by)
  }
  const forget = () => {
    for (let first = begun[0]; first && first.untilMs <= nowMs(); first = begun[0]) {
      count(first.call, -1)
      begun.shift()
    }
  }
  return {
    note: (call: Runner) => {
      forget()
      begun.push({ call, untilMs: nowMs() + countedMs })
      count(call, 1)
    },
    ofClient: ({ client }: Runner) => {
      forget()
      return ofClients.get(client) ?? 0
    },
    ofNetwork: ({ network }: Runner) => {
      forget()
      return ofNetworks.get(network) ?? 0
    },
  }
}

/** The calls that wait for a place, the oldest first. */
function createQueue({ waitingMax }: FairGateLimits) {
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
  /** Who has to go for a newcomer: a call of the client that has most, or else of the network, which may have a client for each call. */
  const findGreediest = (newcomer: Runner): Waiting | undefined => {
    const ofMost = findNewestOfMost(ofClient)
    if (ofMost && ofClient(ofMost) > ofClient(newcomer) + 1) return ofMost
    const ofCrowd = findNewestOfMost(ofNetwork)
    if (!ofCrowd || ofClient(ofCrowd) < ofClient(newcomer)) return undefined
    return ofNetwork(ofCrowd) > ofNetwork(newcomer) + 1 ? ofCrowd : undefined
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
    /** @returns false where the queue is full of clients and networks that have no more calls in it than those of this one */
    add: (call: Waiting): boolean => {
      if (!makeRoom(call)) return false
      waiting.add(call)
      count(call, 1)
      return true
    },
    /** The next one of those that may run, out of the queue. */
    takeNext: ({ mayRun, isBefore }: Places): Waiting | undefined => {
      let next: Waiting | undefined
      for (const call of waiting) if (mayRun(call) && (!next || isBefore(call, next))) next = call
      if (next) leave(next)
      return next
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
