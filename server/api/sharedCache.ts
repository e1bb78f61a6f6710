import type { FastifyInstance } from 'fastify'

/**
 * What is the same for everybody and true for a moment: a cache in front of the server may answer with it for a second, browsers ask each
 * time. Errors take it back (`problem.ts`).
 */
export const sharedForASecond = 'public, max-age=0, s-maxage=1'

/** Says so for every route of a group. None of them looks at cookies, keys or addresses. */
export function shareAnswers(app: Pick<FastifyInstance, 'addHook'>): void {
  app.addHook('onRequest', async (_, reply) => void reply.header('Cache-Control', sharedForASecond))
}
