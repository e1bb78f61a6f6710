import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ApiDeps } from './deps.ts'
import type { Metrics } from './metrics.ts'
import { problems, query, statusAnswer } from './schemas.ts'
import { toStatus } from './toStatus.ts'

const figures = { description: 'Figures for Prometheus', content: { 'text/plain': { schema: Type.String() } } }
const readiness = Type.Object({ ready: Type.Boolean(), store: Type.Boolean(), index: statusAnswer })

/** For those who run the server: is it alive, can it serve, what does it do. */
export function healthRoutes(deps: ApiDeps, metrics: Metrics): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    app.get(
      '/healthz',
      { schema: { querystring: query({}), response: { 200: Type.Object({ alive: Type.Literal(true) }), ...problems } } },
      () => ({
        alive: true as const,
      }),
    )

    // Ready means: there is data to serve. A node that is down makes the data old, not the server useless.
    app.get(
      '/readyz',
      { schema: { querystring: query({}), response: { 200: readiness, ...problems, 503: readiness } } },
      async (_request, reply) => {
        const store = await deps.pingStore().then(
          () => true,
          () => false,
        )
        const ready = store && deps.snapshot().atBlock !== undefined
        return reply.code(ready ? 200 : 503).send({ ready, store, index: toStatus(deps) })
      },
    )

    app.get(
      '/metrics',
      { schema: { querystring: query({}), response: { 200: figures, ...problems } } },
      async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
    )
    done()
  }
}
