import { routes } from '@chainboard/contract'
import { type Address, Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Accounts } from '../accounts/createAccounts.ts'
import { parseUserAddress } from '../accounts/parseUserAddress.ts'
import type { Market, Site } from './deps.ts'
import { createVisitors, refuseOtherSites } from './visitors.ts'

type FavoriteAccounts = Pick<Accounts, 'findUser' | 'listFavorites' | 'addFavorite' | 'removeFavorite'>
export type FavoriteRouteDeps = Site & Market & { readonly accounts: FavoriteAccounts }

/** A user's favourite tokens: addresses in lower case, in the order they were added. Only listed tokens can be added. */
export function favoriteRoutes({ accounts, snapshot, ...site }: FavoriteRouteDeps): FastifyPluginCallbackTypebox {
  const visitors = createVisitors({ accounts, origin: site.origin })
  const parseListed = (value: unknown): Address => {
    const token = parseUserAddress('tokenAddress', value)
    if (!snapshot().byToken.get(token)) throw new Failure('token-not-found', `Token ${token} is not on this site's list`)
    return token
  }

  return (app, _, done) => {
    refuseOtherSites(app, site)

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
