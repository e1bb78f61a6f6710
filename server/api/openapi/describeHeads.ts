// Headers of the price API in its description: what callers send, and what comes with each answer (server/api/v1/heads.ts).

type Operation = {
  readonly operationId?: string
  parameters?: object[]
  readonly responses: Readonly<Record<string, { description: string; headers?: object }>>
}
type OpenApi = { readonly paths?: object; readonly components?: object }

const answerHeads = {
  'X-Request-Id': {
    description:
      "The request's id in the server's log. Bugs are always logged, failures at warn up to 20 a minute, other responses at debug",
    type: 'string',
    example: '3fa94c01-1a',
  },
  RateLimit: {
    description: 'Requests left today (r) and seconds until the limit resets at midnight UTC (t), as in the IETF draft',
    type: 'string',
    example: '"day";r=999;t=3600',
  },
  'RateLimit-Policy': { description: 'Requests per UTC day (q)', type: 'string', example: '"day";q=1000;w=86400' },
  'Retry-After': { description: 'Seconds to wait before retrying', type: 'integer', example: 60 },
  ETag: { description: 'Of the price alone; send it back as If-None-Match', type: 'string', example: 'W/"x1Yz"' },
} as const

type AnswerHead = keyof typeof answerHeads

const day: readonly AnswerHead[] = ['RateLimit', 'RateLimit-Policy']
/** Beside `X-Request-Id`, which every answer has. */
const headsByStatus: Readonly<Record<string, readonly AnswerHead[]>> = {
  '200': day,
  '304': day,
  '404': day,
  '429': [...day, 'Retry-After'],
  '503': ['Retry-After'],
}

const keptReads = new Set(['listPrices', 'getPrice', 'getPriceBySymbol'])
const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of your cached response: if nothing changed, you get 304 without a body',
  schema: { type: 'string' },
}
const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The id of the last event you received: the stream resumes after it',
  schema: { type: 'string' },
}

/** Names the headers of every operation below `/api/v1`. Changes the document, and returns it. */
export function describeHeads<T extends OpenApi>(document: T): T {
  const headers = Object.fromEntries(
    Object.entries(answerHeads).map(([name, { description, type, example }]) => [
      name,
      { description, required: true, schema: { type }, example },
    ]),
  )
  Object.assign(document.components ?? {}, { headers })
  for (const [path, operation] of listOperations(document)) if (path.startsWith('/api/v1/')) describeOperation(operation)
  return document
}

/** The operations of a document, each with its path. */
export function listOperations({ paths = {} }: OpenApi): [path: string, operation: Operation][] {
  return Object.entries(paths).flatMap(([path, item]: [string, object]) =>
    Object.values(item)
      .filter(isOperation)
      .map((operation): [string, Operation] => [path, operation]),
  )
}

function isOperation(item: unknown): item is Operation {
  return typeof item === 'object' && item !== null && 'responses' in item
}

function describeOperation(operation: Operation): void {
  const { operationId = '', responses } = operation
  const isKept = keptReads.has(operationId)
  const sent = isKept ? [ifNoneMatch] : operationId === 'streamPrices' ? [lastEventId] : []
  if (sent.length > 0) operation.parameters = [...(operation.parameters ?? []), ...sent]
  for (const [status, answer] of Object.entries(responses)) {
    const tag: readonly AnswerHead[] = isKept && (status === '200' || status === '304') ? ['ETag'] : []
    const names: readonly AnswerHead[] = ['X-Request-Id', ...(headsByStatus[status] ?? []), ...tag]
    answer.headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  }
}
