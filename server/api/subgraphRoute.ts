import { routes } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import type { FastifyError, FastifyPluginCallback, FastifyReply } from 'fastify'
import { clientOf } from './clientOf.ts'

/** Answers that one client, and all of them, may have on their way: each is in memory until it has been read. */
const answersOfClientMax = 6
const answersMax = 24

/** What the route is given. */
export type SubgraphRouteDeps = {
  /**
   * The answer to a request's body, both JSON text; errors are answers too. `client` is whom it counts for. `ageSeconds`: of an
   * earlier answer.
   */
  readonly answerGraph: (body: string, client: string) => Promise<{ readonly body: string; readonly ageSeconds?: number }>
}

const headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'authorization, content-type, *',
  'Access-Control-Expose-Headers': 'Age, RateLimit, RateLimit-Policy, Retry-After',
  'Access-Control-Max-Age': '86400',
}

/**
 * `POST /subgraph`: the index as a Uniswap v3 subgraph, for any page on the web. Every error has the body of a GraphQL error,
 * and the status of a success where the request itself was one, as hosted subgraphs do.
 */
export function subgraphRoute({ answerGraph }: SubgraphRouteDeps): FastifyPluginCallback {
  const onTheirWay = countOpenAnswers()
  return (app, _, done) => {
    // The text is passed on unparsed: the graph parses it.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body))
    app.setErrorHandler((error: FastifyError | Failure, request, reply) => {
      if (error instanceof Failure && error.code === 'too-many-attempts')
        return sendError(reply.header('Retry-After', error.detail['retryAfterSeconds']), 429, error.message)
      const status = error instanceof Failure ? 500 : (error.statusCode ?? 500)
      if (status >= 500) request.log.error({ err: error }, 'A query failed because of a bug')
      return sendError(reply, status, status < 500 ? error.message : 'Store error: the query could not be run')
    })
    app.route({
      ...routes.querySubgraph,
      config: { budget: 'subgraph' },
      handler: async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : ''
        const client = clientOf(request)
        if (!onTheirWay.enter(client, reply)) return sendError(reply, 429, 'Too many responses are in progress: read those first')
        const answer = await answerGraph(body, client)
        if (answer.ageSeconds !== undefined) reply.header('Age', answer.ageSeconds)
        return reply.headers(headers).type('application/json; charset=utf-8').send(answer.body)
      },
    })
    app.options('/subgraph', async (_request, reply) => reply.headers(headers).code(204).send())
    app.get('/subgraph', async (_request, reply) =>
      sendError(reply.header('Allow', 'POST, OPTIONS'), 405, 'Send a GraphQL query as JSON with POST'),
    )
    done()
  }
}

/** Counts the answers that have not been read to their end. */
function countOpenAnswers() {
  const open = new Map<string, number>()
  let sum = 0
  return {
    /** False when there are too many already. */
    enter(client: string, { raw }: FastifyReply): boolean {
      const own = open.get(client) ?? 0
      if (own >= answersOfClientMax || sum >= answersMax) return false
      open.set(client, own + 1)
      sum += 1
      raw.once('close', () => {
        sum -= 1
        const left = (open.get(client) ?? 1) - 1
        if (left > 0) open.set(client, left)
        else open.delete(client)
      })
      return true
    },
  }
}

function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .headers(headers)
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ errors: [{ message }] }))
}
