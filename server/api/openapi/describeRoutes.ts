import { STATUS_CODES } from 'node:http'
import { problems, query } from '@chainboard/contract'
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { describeHeads } from './describeHeads.ts'
import { formBodies } from './formBodies.ts'
import { findRouteWords } from './routeWords.ts'

const description = `Prices and everything else this site shows, as JSON. Prices: US dollars per whole token; times: unix seconds.

Below \`/api/v1\`: open to pages of any site; an \`X-API-Key\` header counts for its key, without one the caller's address counts.
Every answer has \`X-Request-Id\`; what counted has \`RateLimit\` and \`RateLimit-Policy\` (the IETF draft's fields); 429 and 503 have
\`Retry-After\`.
The rest of the routes is the site's own and may change with it. The query parameter \`_\` means nothing anywhere.`

/** Collects the schemas of all routes that are registered after it into one description, OpenAPI 3.1. */
export async function describeRoutes(app: FastifyInstance, { siteName }: { readonly siteName: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${siteName} API`, version: '1.0.0', description },
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
    },
    transform: ({ schema, url, route }) => ({ url, schema: { ...schema, ...toWords(url, route) } }),
    transformObject: (found) =>
      'openapiObject' in found ? describeHeads(nameAnswers(found.openapiObject)) : found.swaggerObject,
  })
}

/** `GET /api/openapi.json`. To be registered last: it describes itself, too. */
export function openApiRoute(app: FastifyInstance): void {
  let text: string | undefined
  app.get(
    '/api/openapi.json',
    { schema: { querystring: query({}), response: { 200: Type.Object({}), ...problems } } },
    async (_request, reply) => {
      text ??= JSON.stringify(app.swagger())
      return reply
        .header('cache-control', 'no-cache')
        .header('access-control-allow-origin', '*')
        .type('application/json')
        .send(text)
    },
  )
}

function toWords(url: string, { method }: RouteOptions) {
  const words = findRouteWords(`${method} ${url}`)
  if (!words) return { hide: true }
  const security = url.startsWith('/api/v1/') ? { security: [{ apiKey: [] }, {}] } : {}
  const body = formBodies[words.id]
  const form = body ? { body } : {}
  return { summary: words.summary, tags: [words.tag], operationId: words.id, ...security, ...form, ...unschemed[words.id] }
}

const graphErrors = { type: 'object', required: ['errors'], properties: { errors: { type: 'array' } } }

/** Routes that check what they take themselves. */
const unschemed: Readonly<Record<string, FastifySchema>> = {
  querySubgraph: {
    body: {
      type: 'object',
      required: ['query'],
      properties: { query: { type: 'string' }, variables: { type: 'object' }, operationName: { type: 'string' } },
    },
    response: {
      '2xx': { type: 'object', properties: { data: { type: ['object', 'null'] }, errors: { type: 'array' } } },
      '4xx': graphErrors,
      '5xx': graphErrors,
    },
  },
}

const namesOfAnswers: Readonly<Record<string, string>> = { '2XX': 'Answered', '4XX': 'Refused, with the reason', '5XX': 'Failed' }

/** Answers that no schema says a word about are called as HTTP calls them. */
function nameAnswers<T extends { readonly paths?: object }>(document: T): T {
  for (const operations of Object.values(document.paths ?? {}))
    for (const { responses } of Object.values(operations) as { responses: Record<string, { description: string }> }[])
      for (const [status, answer] of Object.entries(responses))
        if (answer.description === 'Default Response')
          answer.description = namesOfAnswers[status] ?? STATUS_CODES[Number(status)] ?? status
  return document
}
