import { routes } from '@chainboard/contract'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Keys } from '../keys/createKeys.ts'
import { clientOf } from './clientOf.ts'
import type { SiteAddress } from './isSameOrigin.ts'
import { refuseOtherSites } from './visitors.ts'

export type KeyRouteDeps = SiteAddress & { readonly keys: Pick<Keys, 'makeFreeKey'> }

/** The free key of a wallet. */
export function keyRoutes({ keys, ...site }: KeyRouteDeps): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    refuseOtherSites(app, site)
    app.route({
      ...routes.generateFreeKey,
      config: { budget: 'freeKeyTries' },
      handler: async (request, reply) => {
        const { walletAddress, signature, message } = request.body
        return reply.code(201).send({ key: await keys.makeFreeKey({ walletAddress, signature, message }, clientOf(request)) })
      },
    })
    done()
  }
}
