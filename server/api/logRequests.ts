import type { FastifyInstance } from 'fastify'

/** What every line about an answered request says. */
export const answeredText = 'Answered'

/**
 * One line at debug for each request that a route answered, under the name that `X-Request-Id` has. The route stands for the path:
 * keys, users and wallets are in paths. What the price API answers before the router has the same line (v1/hotPath.ts).
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, { statusCode: status, elapsedTime }) => {
    const { method, routeOptions } = request
    request.log.debug({ method, route: routeOptions.url ?? 'none', status, ms: Math.round(elapsedTime) }, answeredText)
  })
}
