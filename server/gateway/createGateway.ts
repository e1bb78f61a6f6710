import { Failure } from '@chainboard/core'
import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleWhen } from 'cockatiel'
import type { Chain } from '../chain/chain.ts'
import { type AnswerCacheDeps, type CachedAnswer, createAnswerCache, keyOf } from './answerCache.ts'
import { costAfter, kindOf, restAfter } from './costOf.ts'
import { createFairGate, type FairGateLimits, type LeaveEmpty } from './createFairGate.ts'
import { createSlowness } from './createSlowness.ts'

/** What a stranger asks the node. `charge` is told what it costs beyond what was known before. */
export type GatewayCall = {
  readonly method: string
  readonly params: unknown
  readonly client: string
  readonly charge: (units: number) => void
}

/** Strangers' way to the node. */
export type Gateway = {
  /**
   * The node's answer: a cached one where it cannot change, and one for all equal calls that come while the node works on it.
   * @throws Failure as `Chain.forward` does; `busy` when too many calls wait, or the node has not answered strangers lately
   */
  call(call: GatewayCall): Promise<CachedAnswer>
  /** The newest block, as far as it is known. */
  head(): number | undefined
  /** The chain has changed its past: what was cached may be wrong. */
  forget(): void
}

export type GatewayDeps = AnswerCacheDeps & { readonly chain: Pick<Chain, 'forward'>; readonly limits?: Partial<FairGateLimits> }

/**
 * The node runs so many calls for strangers at the same time, and no more than that wait. A slow node has up to 16 times the places
 * (`createSlowness.ts`). Two hundred calls a second take about a quarter of this server's processor.
 */
const gateLimits: FairGateLimits = {
  atOnce: 16,
  kindAtOnce: { light: 16, logs: 2, code: 2 },
  ofClientAtOnce: 4,
  waitingMax: 400,
  waitMsMax: 15_000,
  startsPerSecond: 200,
  startsAtOnce: 50,
}
/** So many heavy calls at once do not make a node slow. */
const harmlessHeavy = 2
/** So many times in a row the node did not answer a cheap call: then it is left alone, longer each time. */
const silencesMax = 8
const restMs = { initialDelay: 2_000, maxDelay: 60_000 }
/** While calls run code, what a cheap answer takes is known from so long ago at most: the node may be busy, or far away. */
const usualForMs = 1_000
/** What must happen once is never answered for another one. */
const onceMethod = 'eth_sendRawTransaction'

/** An answer of the node, and how long it took. */
type Asked = CachedAnswer & { readonly nodeMs: number; readonly result?: unknown }

/** The gateway over one way to the nodes, which nothing else may use. */
export function createGateway({ chain, limits, ...cacheDeps }: GatewayDeps): Gateway {
  const { nowMs, head } = cacheDeps
  const cache = createAnswerCache(cacheDeps)
  const ask = createAsk(chain, nowMs)
  const gate = createFairGate({ limits: { ...gateLimits, ...limits }, nowMs, widthTimes: ask.widthTimes })
  const underWay = new Map<string, Promise<Asked>>()

  const askOnce = (call: GatewayCall, key: string, leaveEmpty: LeaveEmpty): Promise<Asked> => {
    const asked = ask.call(call, leaveEmpty).then(
      ({ result, json, nodeMs }) => {
        underWay.delete(key)
        cache.keep(key, call, result, { json })
        return { json, nodeMs }
      },
      (error: unknown) => {
        underWay.delete(key)
        throw error
      },
    )
    underWay.set(key, asked)
    return asked
  }
  /** What others have asked for, and pay for the time of. */
  const join = (key: string): Promise<Asked> | undefined => {
    const known = cache.find(key)
    if (known) return Promise.resolve({ ...known, nodeMs: 0 })
    return underWay.get(key)?.then((asked) => ({ ...asked, nodeMs: 0 }))
  }
  const answer = async (call: GatewayCall): Promise<Asked> => {
    const { method, params, client } = call
    const caller = { client, kind: kindOf(method) }
    if (method === onceMethod) return gate.run(caller, (leaveEmpty) => ask.call(call, leaveEmpty))
    const key = keyOf(method, params)
    // A call that waits is joined by none: its client may have to wait for long.
    return join(key) ?? gate.run(caller, (leaveEmpty) => join(key) ?? askOnce(call, key, leaveEmpty))
  }
  return {
    head,
    forget: cache.clear,
    call: async (call) => {
      const { json, nodeMs } = await answer(call)
      call.charge(costAfter({ nodeMs, usualMs: ask.usualMs(), chars: json.length }))
      return { json }
    },
  }
}

/** Asks the node, behind a breaker that strangers' calls have for themselves. */
function createAsk(chain: Pick<Chain, 'forward'>, nowMs: () => number) {
  const breaker = circuitBreaker(handleWhen(isSilence), {
    halfOpenAfter: new ExponentialBackoff(restMs),
    breaker: new ConsecutiveBreaker(silencesMax),
  })
  const slowness = createSlowness(nowMs)
  let askedAtMs = Number.NEGATIVE_INFINITY
  let heavyNow = 0
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await breaker.execute(work)
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error
      throw new Failure('busy', 'The node has not responded for a while, so calls to it are paused. Try again in a minute', {
        retryable: true,
        cause: error,
      })
    }
  }
  /** Asks something cheap of a node that did not answer. @throws Failure as it does */
  const askFirst = async (): Promise<void> => {
    const isQuiet = heavyNow <= harmlessHeavy
    const startMs = nowMs()
    await guarded(() => chain.forward('eth_chainId', []))
    slowness.learn(nowMs() - startMs, isQuiet)
  }
  /** Asks something cheap, where nobody has for a while. */
  const askCheap = async (): Promise<void> => {
    if (nowMs() - Math.max(slowness.learnedAtMs(), askedAtMs) < usualForMs) return
    askedAtMs = nowMs()
    // If the node does not answer, the caller gets an error as well.
    await askFirst().catch(() => undefined)
  }
  return {
    usualMs: slowness.usualMs,
    widthTimes: slowness.widthTimes,
    call: async ({ method, params, charge }: GatewayCall, leaveEmpty: LeaveEmpty): Promise<Asked> => {
      const kind = kindOf(method)
      const heavy = kind !== 'light'
      // A call that a stranger has made too dear to answer says nothing about the node: cheap ones alone decide.
      if (heavy && breaker.state !== CircuitState.Closed) await askFirst()
      if (heavy) void askCheap()
      const isQuiet = heavyNow <= harmlessHeavy
      const startMs = nowMs()
      const timed = () => ({ nodeMs: nowMs() - startMs, usualMs: slowness.usualMs() })
      if (heavy) heavyNow += 1
      const asked = heavy ? chain.forward(method, params) : guarded(() => chain.forward(method, params))
      const result = await asked
        .catch((error: unknown) => {
          const facts = { ...timed(), chars: readCharsOf(error) }
          if (heavy || facts.chars > 0) charge(costAfter(facts))
          leaveEmpty(restAfter(kind, facts))
          throw error
        })
        .finally(() => {
          if (heavy) heavyNow -= 1
        })
      const { nodeMs, usualMs } = timed()
      if (!heavy) slowness.learn(nodeMs, isQuiet)
      const json = JSON.stringify(result) ?? 'null'
      leaveEmpty(restAfter(kind, { nodeMs, usualMs, chars: json.length }))
      return { result, json, nodeMs }
    },
  }
}

/** The node did not answer, or wants to be left alone. */
function isSilence(error: unknown): boolean {
  return error instanceof Failure && (error.code === 'rpc-unavailable' || error.code === 'rpc-rate-limited')
}

/** What was read of an answer that turned out too long. */
function readCharsOf(error: unknown): number {
  const bytes = error instanceof Failure ? error.detail['bytes'] : undefined
  return typeof bytes === 'number' ? bytes : 0
}
