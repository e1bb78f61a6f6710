import { Failure } from '@chainboard/core'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type BudgetName, budgets } from '../budgets/budgets.ts'
import { createMeter, type Meter, type Spending } from '../budgets/createMeter.ts'
import { clientOf } from './clientOf.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Each request of the route counts as one of this budget, apart from other routes with the same one. */
    readonly budget?: BudgetName
  }
}

/** Counts requests against the budgets, and says in each answer what is left. */
export type Limits = {
  /**
   * Counts a request of the one who sends it.
   * @throws Failure `too-many-attempts` when nothing is left; the answer has `Retry-After` then
   */
  spend(name: BudgetName, request: FastifyRequest, reply: FastifyReply, cost?: number): void
  /** Counts what a request cost beyond that. */
  charge(name: BudgetName, client: string, cost: number): void
}

/** Budgets of which nothing is used. @param nowMs milliseconds of any clock that never goes back */
export function createLimits(nowMs: () => number): Limits {
  const meters = new Map<BudgetName, Meter>()
  const meterOf = (name: BudgetName): Meter => {
    const meter = meters.get(name) ?? createMeter(budgets[name], nowMs)
    meters.set(name, meter)
    return meter
  }
  return {
    spend: (name, request, reply, cost) => answer(meterOf(name).spend(clientOf(request), cost), name, reply),
    charge: (name, client, cost) => meterOf(name).charge(client, cost),
  }
}

/** Counts the requests of all routes of `app` that name a budget in their `config`. To be called before the routes are there. */
export function countRequests(app: FastifyInstance, nowMs: () => number): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    const name = route.config?.budget
    if (name === undefined) return
    const meter = createMeter(budgets[name], nowMs)
    const count = async (request: FastifyRequest, reply: FastifyReply) => answer(meter.spend(clientOf(request)), name, reply)
    route.onRequest = [...[route.onRequest ?? []].flat(), count]
  })
}

/**
 * `RateLimit` and `RateLimit-Policy` of the IETF draft, as the price API has them: the policy that is nearest to its limit.
 * `"gateway-address";q=600;w=60` and `"gateway-address";r=599;t=60`
 */
function answer(
  { ok, of, limit, windowSeconds, remaining, resetSeconds }: Spending,
  name: BudgetName,
  reply: FastifyReply,
): void {
  const policy = `${name}-${of}`
  reply.header('RateLimit-Policy', `"${policy}";q=${limit};w=${windowSeconds}`)
  reply.header('RateLimit', `"${policy}";r=${remaining};t=${resetSeconds}`)
  if (ok) return
  throw new Failure('too-many-attempts', `Too many calls. Try again in ${resetSeconds} s`, {
    detail: { retryAfterSeconds: resetSeconds },
  })
}
