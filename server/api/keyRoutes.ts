import { routes } from '@chainboard/contract'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { clientOf } from './clientOf.ts'
import type { ApiDeps } from './deps.ts'
import { refuseOtherSites } from './visitors.ts'

/** Tries of one client: signing is quick, and each may cost a question to the chain. */
const triesLimit = { max: 30, timeWindow: '1 hour' }

/** The free key of a wallet. */
export function keyRoutes({
  keys,
  domain,
  publicOrigin,
}: Pick<ApiDeps, 'keys' | 'domain' | 'publicOrigin'>): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    refuseOtherSites(app, { domain, publicOrigin })
    app.route({
      ...routes.generateFreeKey,
      config: { rateLimit: triesLimit },
      handler: async (request, reply) => {
        const { walletAddress, signature, message } = request.body
        return reply.code(201).send({ key: await keys.makeFreeKey({ walletAddress, signature, message }, clientOf(request)) })
      },
    })
    done()
  }
}
