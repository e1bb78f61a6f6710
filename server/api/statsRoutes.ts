import { routes, type WireDashboard } from '@chainboard/contract'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Accounts } from '../accounts/createAccounts.ts'
import type { Dashboard } from '../accounts/readDashboard.ts'
import type { Snapshot } from '../market/takeSnapshot.ts'
import type { Market } from './deps.ts'
import { shareAnswers } from './sharedCache.ts'

export type StatsRouteDeps = Market & { readonly accounts: Pick<Accounts, 'dashboard'> }

/** Statistics of all users together: sums alone, nobody's name. */
export function statsRoutes({ accounts, snapshot }: StatsRouteDeps): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    shareAnswers(app)
    app.route({
      ...routes.getUserCount,
      handler: async () => ({ totalUsers: (await accounts.dashboard()).totals.users }),
    })
    app.route({
      ...routes.getDashboard,
      handler: async () => toWireDashboard(await accounts.dashboard(), snapshot().byToken),
    })
    done()
  }
}

function toWireDashboard({ totals, days, topFavorites }: Dashboard, byToken: Snapshot['byToken']): WireDashboard {
  return {
    totalUsers: totals.users,
    usersToday: days.at(-1)?.users ?? 0,
    usersWithWallets: totals.usersWithWallets,
    usersWithFavorites: totals.usersWithFavorites,
    totalWallets: totals.wallets,
    avgWalletsPerUser: toAverage(totals.wallets, totals.users),
    totalFavorites: totals.favorites,
    avgFavoritesPerUser: toAverage(totals.favorites, totals.users),
    userRegistrationChart: days.map(({ day, users }) => ({ date: day, users })),
    mostFavoritedTokens: topFavorites.map(({ token: id, users }) => {
      const listed = byToken.get(id)?.token
      if (!listed) return { tokenAddress: id, count: users }
      const { name, symbol, address, logo } = listed
      return { tokenAddress: id, count: users, token: { name, symbol, address, logo } }
    }),
  }
}

/** Two decimals; 0 of nobody. */
function toAverage(sum: number, users: number): number {
  return users === 0 ? 0 : Math.round((sum / users) * 100) / 100
}
