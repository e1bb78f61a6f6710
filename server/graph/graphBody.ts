import { isNestedTooDeep } from './checkDocument.ts'
import { GraphRefusal } from './graphError.ts'

const variablesNesting = 40

/** A request as clients of The Graph send it. */
export type GraphRequest = {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | undefined
}

/**
 * Reads the body of a request.
 * @throws GraphRefusal for anything that is not one query
 */
export function parseBody(text: string): GraphRequest {
  if (isNestedTooDeep(text, variablesNesting)) throw refuse(`The request is nested more than ${variablesNesting} levels deep`)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw refuse('The request is not JSON')
  }
  if (Array.isArray(body)) throw refuse('Several queries in one request are not supported')
  if (typeof body !== 'object' || body === null) throw refuse('The request is not a JSON object')
  const { query, variables, operationName }: Partial<Record<keyof GraphRequest, unknown>> = body
  if (query === undefined || query === null) throw refuse('The "query" field is missing in request data')
  if (typeof query !== 'string') throw refuse('The "query" field is not a string')
  if (variables !== undefined && (typeof variables !== 'object' || Array.isArray(variables)))
    throw refuse('The "variables" field is not an object')
  return {
    query,
    variables: Object.fromEntries(Object.entries(variables ?? {})),
    operationName: typeof operationName === 'string' && operationName ? operationName : undefined,
  }
}

function refuse(reason: string): GraphRefusal {
  return new GraphRefusal(`GraphQL server error (client error): ${reason}`)
}
