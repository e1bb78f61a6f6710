import { Failure } from '@chainboard/core'
import { networkOf } from '../budgets/networkOf.ts'

export type FairGateLimits = {
  readonly atOnce: number
  /** Of them, calls that are heavy. */
  readonly heavyAtOnce: number
  /** Of them, calls of one client. */
  readonly ofClientAtOnce: number
  readonly waitingMax: number
  readonly waitMsMax: number
}

/** Whose call it is, and whether it is heavy. */
export type Caller = { readonly client: string; readonly isHeavy: boolean }

/** Calls that run, and those that wait for a place. */
export type FairGate = {
  /**
   * Runs work when there is a place for its caller.
   * @throws Failure `busy` when too many wait, or it has waited too long; what the work throws
   */
  run<T>(caller: Caller, work: () => Promise<T>): Promise<T>
}

type Waiting = Caller & { readonly network: string; readonly start: () => void; readonly sendAway: () => void }

/**
 * A place goes to the client that has fewest calls with the node, then to the network that has: whoever sends many calls waits for his own, and
 * one that comes for the first time is next. When too many wait, the newest call of the client that has most is sent away.
 */
export function createFairGate(limits: FairGateLimits): FairGate {
  const running = new Map<string, number>()
  const waiting = new Set<Waiting>()
  const waitingOf = new Map<string, number>()
  let [count, heavy] = [0, 0]

  const enter = ({ client, network, isHeavy }: Omit<Waiting, 'start' | 'sendAway'>, by: 1 | -1) => {
    count += by
    if (isHeavy) heavy += by
    change(running, `client ${client}`, by)
    change(running, `network ${network}`, by)
  }
  const ofClient = ({ client }: Pick<Caller, 'client'>) => running.get(`client ${client}`) ?? 0
  const ofNetwork = ({ network }: Pick<Waiting, 'network'>) => running.get(`network ${network}`) ?? 0
  const mayRun = (call: Caller) => (!call.isHeavy || heavy < limits.heavyAtOnce) && ofClient(call) < limits.ofClientAtOnce
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
    while (count < limits.atOnce) {
      const next = findNext()
      if (!next) return
      leave(next)
      enter(next, 1)
      next.start()
    }
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
    // Nobody waits who may run.
    if (count < limits.atOnce && mayRun(caller)) return enter(caller, 1)
    if (!makeRoom(caller.client)) throw tooMany()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const call: Waiting = { ...caller, start: resolve, sendAway: () => reject(tooMany()) }
    waiting.add(call)
    change(waitingOf, caller.client, 1)
    const late = setTimeout(() => {
      leave(call)
      reject(tooMany())
    }, limits.waitMsMax)
    startNext()
    try {
      await promise
    } finally {
      clearTimeout(late)
    }
  }
  return {
    run: async ({ client, isHeavy }, work) => {
      const caller = { client, isHeavy, network: networkOf(client) }
      await waitForPlace(caller)
      try {
        return await work()
      } finally {
        enter(caller, -1)
        startNext()
      }
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
