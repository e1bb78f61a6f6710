import { Failure } from '@chainboard/core'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { hideSecrets } from '../../chain/hideSecrets.ts'
import { exchangeGraphql, type SubgraphAddress } from './exchangeGraphql.ts'

/** Fields that younger subgraphs have and older ones do not: asked for until a server says that it has none. */
export type OptionalField = '_Block_.timestamp' | 'Swap.logIndex' | 'Swap.amountUSD'

/**
 * A Uniswap v3 subgraph, asked over HTTP. `ask` resolves with the `data` of the answer, as it came: unchecked.
 * It fails with a `Failure`: `upstream-unavailable` (no connection, no answer in time, HTTP 5xx), `upstream-rate-limited` (429;
 * `detail.retryAfterMs` where the server names it), `upstream-refused` (GraphQL errors, which come with HTTP 200, and other
 * statuses), `upstream-invalid` (no JSON, no GraphQL answer, too long).
 * @param toQuery writes the query with the optional fields that `has` allows
 */
export type SubgraphClient = {
  ask(toQuery: (has: (field: OptionalField) => boolean) => string): Promise<Readonly<Record<string, unknown>>>
}

export type SubgraphClientOptions = {
  readonly timeoutMs?: number
  readonly bodyBytesMax?: number
  /** Ends questions under way, and any later one at once, with `upstream-unavailable`. */
  readonly signal?: AbortSignal
}

const defaultTimeoutMs = 15_000
/** 5,000 hour rows, the most that one question asks for, have about 4 MB. */
const defaultBodyBytesMax = 32 * 1024 * 1024

const answerSchema = Type.Object({
  data: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  errors: Type.Optional(Type.Union([Type.Array(Type.Object({ message: Type.String() })), Type.Null()])),
})

/** @param url may hold a key: it is in no message and no detail of any failure */
export function createSubgraphClient(
  url: string,
  { timeoutMs = defaultTimeoutMs, bodyBytesMax = defaultBodyBytesMax, signal }: SubgraphClientOptions = {},
): SubgraphClient {
  const address: SubgraphAddress = { url, timeoutMs, bodyBytesMax, ...(signal ? { signal } : {}) }
  const missing = new Set<OptionalField>()
  const ask: SubgraphClient['ask'] = async (toQuery) => {
    try {
      return await post(
        address,
        toQuery((field) => !missing.has(field)),
      )
    } catch (error) {
      const field = findMissingField(error)
      if (!field || missing.has(field)) throw error
      missing.add(field)
      return ask(toQuery)
    }
  }
  return { ask }
}

async function post(address: SubgraphAddress, query: string): Promise<Readonly<Record<string, unknown>>> {
  const { response, text } = await exchangeGraphql(address, JSON.stringify({ query, variables: {} }))
  const answer = parseJson(text)
  const isAnswer = Value.Check(answerSchema, answer)
  // A server that refuses with another status says why in the same form, if at all.
  if (isAnswer && answer.errors && answer.errors.length > 0)
    throw refused(answer.errors.map(({ message }) => message).join('; '), address.url)
  if (!response.ok) throw new Failure('upstream-refused', `The subgraph returned HTTP ${response.status}`)
  if (!isAnswer || !answer.data)
    throw new Failure('upstream-invalid', 'The subgraph did not return a GraphQL response', {
      detail: { start: hideSecrets(text, address.url) },
      retryable: true,
    })
  return answer.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Errors that pass: an indexer behind the block asked for, a busy database, a subgraph that is being repaired. */
const passing =
  /time(d)? ?out|indexing_error|bad indexers|store error|not yet available|indexed up to|no block|busy|overload|too many/i

function refused(words: string, url: string): Failure {
  return new Failure('upstream-refused', `The subgraph refuses: ${hideSecrets(words, url)}`, { retryable: passing.test(words) })
}

const noField = [
  /Type `(?<type>\w+)` has no field `(?<field>\w+)`/,
  /Cannot query field ["'`](?<field>\w+)["'`] on type ["'`](?<type>\w+)["'`]/,
]
const optionalFields: readonly OptionalField[] = ['_Block_.timestamp', 'Swap.logIndex', 'Swap.amountUSD']

function findMissingField(error: unknown): OptionalField | undefined {
  if (!(error instanceof Failure) || error.code !== 'upstream-refused') return undefined
  const { type, field } = noField.map((pattern) => pattern.exec(error.message)?.groups).find(Boolean) ?? {}
  return optionalFields.find((optional) => optional === `${type}.${field}`)
}
