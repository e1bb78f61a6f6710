import { STATUS_CODES } from 'node:http'
import { described, type OperationId, routes, tags } from '@chainboard/contract'
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { toSessionCookie } from '../cookies.ts'
import type { Network, Site } from '../deps.ts'
import { describeHeads, listOperations } from './describeHeads.ts'

const description = `Prices and everything else this site shows, as JSON. Prices: US dollars per whole token; times: unix seconds.

Below \`/api/v1\`: open to pages of any site; requests count for the key in \`X-API-Key\`, or without one for the caller's address.
Every response has \`X-Request-Id\`. Counted responses have \`RateLimit\` and \`RateLimit-Policy\` (the IETF draft's fields), 429 and 503 have
\`Retry-After\`.
All other routes serve the site's own pages and may change with them. The query parameter \`_\` is ignored everywhere.`

type DescribedSite = Pick<Network, 'network'> & Pick<Site, 'origin' | 'publicOrigin'>

/** Collects the schemas of all routes that are registered after it into one description, OpenAPI 3.1. */
export async function describeRoutes(app: FastifyInstance, site: DescribedSite): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${site.network.siteName} API`, version: '1.0.0', description, contact: toContact(site) },
      // Without a name of its own the site is where this description was read.
      servers: [{ url: site.publicOrigin ?? '/', description: site.network.siteName }],
      tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          session: { type: 'apiKey', in: 'cookie', name: toSessionCookie(site.origin), description: 'Set when a user signs in' },
        },
      },
    },
    transform: ({ schema, url, route }) => ({ url, schema: toOperation(schema, route.method) }),
    transformObject: (found) =>
      'openapiObject' in found ? describeHeads(nameAnswers(found.openapiObject)) : found.swaggerObject,
  })
}

/** `GET /api/openapi.json`. To be registered last: it describes itself, too. */
export function openApiRoute(app: FastifyInstance): void {
  let text: string | undefined
  app.route({
    ...routes.getOpenApi,
    handler: async (_request, reply) => {
      text ??= JSON.stringify(app.swagger())
      return reply
        .header('cache-control', 'no-cache')
        .header('access-control-allow-origin', '*')
        .type('application/json')
        .send(text)
    },
  })
}

/** Whom to ask about the API: the operator, as far as the network file names one. */
function toContact({ network, publicOrigin }: DescribedSite): { name: string; url?: string; email?: string } {
  const { email, chatUrl } = network.contact ?? {}
  const url = chatUrl ?? publicOrigin
  return { name: network.siteName, ...(url ? { url } : {}), ...(email ? { email } : {}) }
}

/** What is no route of the contract is no part of the API: pages, files, the words for wrong methods. */
function toOperation(schema: FastifySchema | undefined, method: RouteOptions['method']): FastifySchema {
  const id = schema?.operationId
  if (!id || method === 'HEAD') return { hide: true }
  return isDescribed(id) ? { ...schema, ...described[id] } : schema
}

function isDescribed(id: string): id is OperationId {
  return Object.hasOwn(described, id)
}

const namesOfAnswers: Readonly<Record<string, string>> = { '2XX': 'Answered', '4XX': 'Refused, with the reason', '5XX': 'Failed' }

/** Answers that no schema says a word about are called as HTTP calls them. */
function nameAnswers<T extends { readonly paths?: object }>(document: T): T {
  for (const [, { responses }] of listOperations(document))
    for (const [status, answer] of Object.entries(responses))
      if (answer.description === 'Default Response')
        answer.description = namesOfAnswers[status] ?? STATUS_CODES[Number(status)] ?? status
  return document
}
