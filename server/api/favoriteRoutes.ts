import { routes } from '@chainboard/contract'
import { type Address, Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { parseUserAddress } from '../accounts/parseUserAddress.ts'
import type { ApiDeps } from './deps.ts'
import { createVisitors, refuseOtherSites } from './visitors.ts'

/** A user's favourite tokens: addresses in lower case, in the order they were added. Only listed tokens can be added. */
export function favoriteRoutes({ accounts, domain, origin, publicOrigin, snapshot }: ApiDeps): FastifyPluginCallbackTypebox {
  const visitors = createVisitors({ accounts, origin })
  const parseListed = (value: unknown): Address => {
    const token = parseUserAddress('tokenAddress', value)
    if (!snapshot().byToken.get(token)) throw new Failure('token-not-found', `Token ${token} is not on this site's list`)
    return token
  }

  return (app, _, done) => {
    refuseOtherSites(app, { domain, publicOrigin })

    app.route({
      ...routes.listFavorites,
      handler: async (request) => accounts.listFavorites(await visitors.requireOwner(request, request.params.username)),
    })

    app.route({
      ...routes.addFavorite,
      handler: async (request) => {
        const user = await visitors.requireOwner(request, request.params.username)
        return accounts.addFavorite(user, parseListed(request.body.tokenAddress))
      },
    })

    app.route({
      ...routes.removeFavorite,
      handler: async (request) => {
        const user = await visitors.requireOwner(request, request.params.username)
        // A token that is no longer listed can still be taken off.
        return accounts.removeFavorite(user, parseUserAddress('tokenAddress', request.params.tokenAddress))
      },
    })
    done()
  }
}
