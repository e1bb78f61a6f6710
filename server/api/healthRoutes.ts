import { problems, query, readinessAnswer } from '@chainboard/contract'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Health } from './health/health.ts'

const figures = { description: 'Figures for Prometheus', content: { 'text/plain': { schema: Type.String() } } }

/**
 * For those who run the server: is it alive, can it serve, what does it do. These share the thread with all other requests;
 * `METRICS_PORT` has the same on a thread of its own (`health/probes.ts`), and then figures are told there alone.
 */
export function healthRoutes(
  { metrics, readiness }: Health,
  { tellsFigures }: { readonly tellsFigures: boolean },
): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    app.get(
      '/healthz',
      { schema: { querystring: query({}), response: { 200: Type.Object({ alive: Type.Literal(true) }), ...problems } } },
      () => ({
        alive: true as const,
      }),
    )

    app.get(
      '/readyz',
      { schema: { querystring: query({}), response: { 200: readinessAnswer, ...problems, 503: readinessAnswer } } },
      async (_request, reply) => {
        const body = await readiness()
        return reply.code(body.ready ? 200 : 503).send(body)
      },
    )

    if (tellsFigures)
      app.get(
        '/metrics',
        { schema: { querystring: query({}), response: { 200: figures, ...problems } } },
        async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
      )
    done()
  }
}
