import {
  type DocumentNode,
  GraphQLError,
  Kind,
  Lexer,
  parse,
  print,
  Source,
  separateOperations,
  stripIgnoredCharacters,
  TokenKind,
} from 'graphql'

const wordsMax = 15_000
const nestingMax = 60

/** The body that goes on to a subgraph, or why none does. */
export type ForwardRequest =
  | { readonly kind: 'ask'; readonly body: string }
  | { readonly kind: 'refuse'; readonly reason: string }

/**
 * Reads what a visitor sends to a subgraph, and writes it in one way: requests that ask the same have the same body. What goes
 * on is the query that runs with the fragments it uses, and the variables that it names. Pure.
 * @param text as it came; its length is the caller's to limit
 */
export function toForwardRequest(text: string): ForwardRequest {
  try {
    const { query, variables, operationName } = readFields(text)
    const document = pickQuery(parseQuery(query), operationName)
    const named = namesOf(document)
    const used = Object.entries(variables).filter(([name]) => named.has(name))
    const body = { query: stripIgnoredCharacters(print(document)), variables: sortKeys(Object.fromEntries(used), 1) }
    return { kind: 'ask', body: JSON.stringify(body) }
  } catch (error) {
    if (error instanceof GraphQLError) return { kind: 'refuse', reason: error.message }
    throw error
  }
}

type Fields = {
  readonly query: string
  readonly variables: object
  readonly operationName: string | undefined
}

function readFields(text: string): Fields {
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refuse('The request is not a JSON object')
  const { query, variables = null, operationName = null }: Partial<Record<keyof Fields, unknown>> = body
  if (typeof query !== 'string') throw refuse('The "query" field is not a string')
  if (typeof variables !== 'object' || Array.isArray(variables)) throw refuse('The "variables" field is not an object')
  if (operationName !== null && typeof operationName !== 'string') throw refuse('The "operationName" field is not a string')
  return { query, variables: variables ?? {}, operationName: operationName || undefined }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('The request is not JSON')
  }
}

/** Words and brackets are counted first: the parser calls itself for every bracket. */
function parseQuery(query: string): DocumentNode {
  const lexer = new Lexer(new Source(query))
  let depth = 0
  for (let words = 0; lexer.advance().kind !== TokenKind.EOF; words += 1) {
    const { kind } = lexer.token
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) depth += 1
    else if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) depth -= 1
    if (depth > nestingMax) throw refuse(`A query is nested more than ${nestingMax} levels deep`)
    if (words >= wordsMax) throw refuse(`A query has more than ${wordsMax} words`)
  }
  return parse(query, { maxTokens: wordsMax })
}

function pickQuery(document: DocumentNode, operationName: string | undefined): DocumentNode {
  const operations = document.definitions.flatMap((definition) => {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) return []
    if (definition.kind !== Kind.OPERATION_DEFINITION) throw refuse('A request may contain only queries and fragments')
    if (definition.operation !== 'query') throw refuse(`Not supported: ${definition.operation}`)
    return [definition]
  })
  const fitting = operationName === undefined ? operations : operations.filter(({ name }) => name?.value === operationName)
  const [operation] = fitting
  if (!operation || fitting.length > 1) throw refuse('The request does not contain the query to run')
  const separate = separateOperations(document)[operation.name?.value ?? '']
  if (!separate) throw refuse('The request does not contain the query to run')
  return separate
}

function namesOf({ definitions }: DocumentNode): ReadonlySet<string> {
  const operation = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  return new Set((operation?.variableDefinitions ?? []).map(({ variable }) => variable.name.value))
}

function sortKeys(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > nestingMax) throw refuse(`The variables are nested more than ${nestingMax} levels deep`)
  if (Array.isArray(value)) return value.map((item) => sortKeys(item, depth + 1))
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, inner]) => [name, sortKeys(inner, depth + 1)]))
}

function refuse(reason: string): GraphQLError {
  return new GraphQLError(reason)
}
