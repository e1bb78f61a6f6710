import { Failure } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import { hideSecrets } from '../../chain/hideSecrets.ts'
import { createGuard } from './createBreaker.ts'
import { exchangeGraphql, type SubgraphAddress } from './exchangeGraphql.ts'
import { createQuestionBudget } from './questionBudget.ts'

const timeoutMs = 15_000
const bodyBytesMax = 8 * 1024 * 1024
const defaultCacheMs = 15_000
const cachedAnswersMax = 1_000
const cachedBytesMax = 64 * 1024 * 1024

/** Of all visitors together: hosted subgraphs bill every question to the operator. */
const questionsPerMinuteMax = 120

export type SubgraphForwardOptions = {
  readonly cacheMs?: number
  /** Ends questions under way. */
  readonly signal?: AbortSignal
  /** A clock that never goes back. */
  readonly nowMs?: () => number
}

/**
 * Hands GraphQL queries on to a remote subgraph: for a server without an index of its own. Answers are kept for 15 s, with one
 * question under way for each, and 120 questions a minute in all; beyond them, and while the subgraph fails, the last answer to
 * the same request serves. Every failure is an answer too: GraphQL's error, without the URL, which may hold a key.
 * @returns the body that answers a request's body
 */
export function createSubgraphForward(
  url: string,
  { cacheMs = defaultCacheMs, signal, nowMs = () => performance.now() }: SubgraphForwardOptions = {},
): (body: string) => Promise<string> {
  const address: SubgraphAddress = { url, timeoutMs, bodyBytesMax, ...(signal ? { signal } : {}) }
  const guard = createGuard()
  const takeQuestion = createQuestionBudget(questionsPerMinuteMax, nowMs)
  const answers = new LRUCache<string, string>({
    max: cachedAnswersMax,
    maxSize: cachedBytesMax,
    sizeCalculation: (answer, body) => answer.length + body.length + 1,
    ttl: cacheMs,
    fetchMethod: async (body, last) => {
      try {
        // Before the guard: what is not asked says nothing of how the subgraph does.
        if (!takeQuestion()) throw budgetSpent()
        return await guard(() => ask(address, body))
      } catch (error) {
        if (last !== undefined && error instanceof Failure) return last
        throw error
      }
    },
  })
  return async (body) => {
    // With the first question: it needs the library of GraphQL.
    const { toForwardRequest } = await import('./forwardRequest.ts')
    const request = toForwardRequest(body)
    if (request.kind === 'refuse') return toErrorBody(request.reason)
    try {
      return await answers.forceFetch(request.body)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return toErrorBody(error.message)
    }
  }
}

function toErrorBody(message: string): string {
  return JSON.stringify({ errors: [{ message }] })
}

function budgetSpent(): Failure {
  const words = 'The limit of subgraph queries per minute is reached. Try again in a minute'
  return new Failure('upstream-budget-spent', words, { retryable: true })
}

async function ask(address: SubgraphAddress, body: string): Promise<string> {
  const { text } = await exchangeGraphql(address, body)
  const { data, errors, ...others }: { data?: unknown; errors?: unknown } = parseJson(text) ?? {}
  const isData = typeof data === 'object' && data !== null
  if (isData && errors === undefined && Object.keys(others).length === 0) return text
  if (!isData && !Array.isArray(errors))
    throw new Failure('upstream-invalid', 'The subgraph did not return a GraphQL response', { retryable: true })
  const shown = Array.isArray(errors) ? errors.map((error) => toShownError(error, address.url)) : []
  return JSON.stringify({ ...(isData ? { data } : {}), ...(shown.length > 0 || !isData ? { errors: shown } : {}) })
}

/** Places in the text are left out: the subgraph was asked with another one. */
function toShownError(error: { message?: unknown; path?: unknown } | null, url: string) {
  const message = hideSecrets(String(error?.message), url)
  return Array.isArray(error?.path) ? { message, path: error.path } : { message }
}

function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
