import { Failure } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import { createGuard } from './createBreaker.ts'
import { exchangeGraphql } from './exchangeGraphql.ts'
import { hideSecrets } from './hideSecrets.ts'

const timeoutMs = 15_000
const bodyBytesMax = 8 * 1024 * 1024
const defaultCacheMs = 15_000
const cachedAnswersMax = 1_000
const cachedBytesMax = 64 * 1024 * 1024

/**
 * Hands GraphQL requests on to a remote subgraph: for a server without an index of its own. Answers are kept for 15 s, with one
 * question under way for each; while the subgraph fails, the last answer to the same request serves. Every failure is an answer
 * too: GraphQL's error, without the URL, which may hold a key.
 * @returns the body that answers a request's body
 */
export function createSubgraphForward(url: string, { cacheMs = defaultCacheMs } = {}): (body: string) => Promise<string> {
  const guard = createGuard()
  const answers = new LRUCache<string, string>({
    max: cachedAnswersMax,
    maxSize: cachedBytesMax,
    sizeCalculation: (answer, body) => answer.length + body.length + 1,
    ttl: cacheMs,
    fetchMethod: async (body, last) => {
      try {
        return await guard(() => ask(url, body))
      } catch (error) {
        if (last !== undefined && error instanceof Failure) return last
        throw error
      }
    },
  })
  return async (body) => {
    try {
      return await answers.forceFetch(body)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return JSON.stringify({ errors: [{ message: error.message }] })
    }
  }
}

async function ask(url: string, body: string): Promise<string> {
  const { text } = await exchangeGraphql({ url, timeoutMs, bodyBytesMax }, body)
  const answer = parseJson(text)
  if (answer?.['data']) return text
  const errors = answer?.['errors']
  if (!Array.isArray(errors))
    throw new Failure('upstream-invalid', 'The subgraph answers with something else than GraphQL', { retryable: true })
  return JSON.stringify({
    errors: errors.map((error: { message?: unknown }) => ({ message: hideSecrets(String(error?.message), url) })),
  })
}

function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
