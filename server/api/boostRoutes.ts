import { routes } from '@chainboard/contract'
import { parseAddress } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Boosts } from '../boosts/boosts.ts'
import { shareAnswers } from './sharedCache.ts'
import { toWireBoost } from './toWire.ts'

const defaultPageSize = 50

export type BoostRouteDeps = { readonly boosts: Pick<Boosts, 'listPayments' | 'doubts'> }

/** The public ledger: who paid for which boost. */
export function boostRoutes({ boosts }: BoostRouteDeps): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    shareAnswers(app)
    app.route({
      ...routes.listBoosts,
      handler: async (request, reply) => {
        const { token, page = 1, pageSize = defaultPageSize } = request.query
        const { payments, total } = await boosts.listPayments({
          token: token === undefined ? undefined : parseAddress(token),
          offset: (page - 1) * pageSize,
          limit: pageSize,
        })
        reply.header('X-Total-Count', total)
        if (boosts.doubts() > 0) reply.header('X-Boost-Ledger', 'unverified')
        return payments.map(toWireBoost)
      },
    })
    done()
  }
}
