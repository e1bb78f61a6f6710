import { Failure } from '@chainboard/core'
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleType,
  type IHalfOpenAfterBackoffContext,
  wrap,
} from 'cockatiel'
import type { SubgraphClient } from './subgraphClient.ts'

const failuresMax = 3
const retryAfterMs = 30_000
const atOnceMax = 4
const waitingMax = 100

/** Runs what asks a subgraph, or fails at once without running it. */
export type Guard = <T>(ask: () => Promise<T>) => Promise<T>

/** A client for questions that visitors cause, behind a guard of its own. */
export function createBreaker({ ask }: SubgraphClient): SubgraphClient {
  const guard = createGuard()
  return { ask: (toQuery) => guard(() => ask(toQuery)) }
}

/**
 * For questions that visitors cause. At most 4 are under way and 100 wait; after 3 failures in a row none is asked for
 * 30 s, or for as long as the subgraph said, and then one tries. What is not asked fails at once with `upstream-unavailable`.
 */
export function createGuard(): Guard {
  const breaker = circuitBreaker(handleType(Failure), {
    breaker: new ConsecutiveBreaker(failuresMax),
    halfOpenAfter: new DelegateBackoff(toWaitMs),
  })
  // Those that wait meet the breaker only when their turn comes, so an outage ends them at once.
  const policy = wrap(bulkhead(atOnceMax, waitingMax), breaker)
  return async (ask) => {
    try {
      return await policy.execute(ask)
    } catch (error) {
      if (error instanceof BrokenCircuitError) throw unavailable('The subgraph is not responding; the server retries soon')
      if (error instanceof BulkheadRejectedError) throw unavailable('Too many queries to the subgraph at once')
      throw error
    }
  }
}

function toWaitMs({ result }: IHalfOpenAfterBackoffContext): number {
  const error: unknown = 'error' in result ? result.error : undefined
  const named = error instanceof Failure ? error.detail['retryAfterMs'] : undefined
  return Math.max(retryAfterMs, typeof named === 'number' ? named : 0)
}

function unavailable(message: string): Failure {
  return new Failure('upstream-unavailable', message, { retryable: true })
}
