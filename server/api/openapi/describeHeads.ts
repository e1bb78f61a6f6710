// Headers of the price API in its description: what callers send, and what comes with each answer (server/api/v1/heads.ts).

type Operation = {
  readonly operationId?: string
  parameters?: object[]
  readonly responses: Readonly<Record<string, { headers?: object }>>
}
type OpenApi = { readonly paths?: object; readonly components?: object }

const answerHeads = {
  'X-Request-Id': {
    description:
      'What the request is called where the log of the server tells of it: bugs always, failures at warn up to 20 a minute, other answers at debug',
    type: 'string',
    example: '3fa94c01-1a',
  },
  RateLimit: {
    description: 'Requests left in the UTC day (r) and seconds to its end (t), as in the IETF draft',
    type: 'string',
    example: '"day";r=999;t=3600',
  },
  'RateLimit-Policy': { description: 'Requests of a UTC day (q)', type: 'string', example: '"day";q=1000;w=86400' },
  'Retry-After': { description: 'Seconds until it makes sense to ask again', type: 'integer', example: 60 },
  ETag: { description: 'Of the price alone; to be sent back as If-None-Match', type: 'string', example: 'W/"x1Yz"' },
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
  description: 'The ETag of an answer that the caller keeps: 304 without a body as long as nothing changed',
  schema: { type: 'string' },
}
const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The id of the last event that was heard: the stream goes on after it',
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
  for (const [path, operations] of Object.entries(document.paths ?? {}))
    if (path.startsWith('/api/v1/')) for (const operation of Object.values(operations)) describeOperation(operation as Operation)
  return document
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
