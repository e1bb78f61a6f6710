import { routes } from '@chainboard/contract'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Health } from './health/health.ts'
import { mayScrape, tokenMissing } from './metricsToken.ts'

/**
 * For those who run the server: is it alive, can it serve, what does it do. These share the thread with all other requests;
 * `METRICS_PORT` has the same on a thread of its own (`health/probes.ts`), and then figures are told there alone.
 */
export function healthRoutes(
  { metrics, readiness }: Health,
  { tellsFigures, metricsToken }: { readonly tellsFigures: boolean; readonly metricsToken: string | undefined },
): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    app.route({ ...routes.getHealth, handler: () => ({ alive: true as const }) })

    app.route({
      ...routes.getReadiness,
      handler: async (_request, reply) => {
        const body = await readiness()
        return reply.code(body.ready ? 200 : 503).send(body)
      },
    })

    if (tellsFigures)
      app.route({
        ...routes.getMetrics,
        handler: async ({ headers }, reply) =>
          mayScrape(headers.authorization, metricsToken)
            ? reply.type(metrics.contentType).send(await metrics.text())
            : reply.code(401).header('WWW-Authenticate', 'Bearer').send(tokenMissing),
      })
    done()
  }
}
