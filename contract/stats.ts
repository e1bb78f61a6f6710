import { type Static, Type } from 'typebox'
import { group } from './route.ts'
import { noQuery, problems } from './shapes.ts'

const userCountAnswer = Type.Object({ totalUsers: Type.Integer() })

export type WireUserCount = Static<typeof userCountAnswer>

/** Answer of `/api/stats/dashboard`. Averages have two decimals at most. */
const dashboardAnswer = Type.Object({
  totalUsers: Type.Integer(),
  usersToday: Type.Integer({ description: 'registered on this UTC day' }),
  usersWithWallets: Type.Integer(),
  usersWithFavorites: Type.Integer(),
  totalWallets: Type.Integer(),
  avgWalletsPerUser: Type.Number(),
  totalFavorites: Type.Integer(),
  avgFavoritesPerUser: Type.Number(),
  userRegistrationChart: Type.Array(
    Type.Object({ date: Type.String({ description: 'like 2026-11-21' }), users: Type.Integer() }),
    { description: 'the last 30 UTC days, oldest first, including days without registrations' },
  ),
  mostFavoritedTokens: Type.Array(
    Type.Object({
      tokenAddress: Type.String(),
      count: Type.Integer(),
      token: Type.Optional(
        Type.Object(
          { name: Type.String(), symbol: Type.String(), address: Type.String(), logo: Type.String() },
          { description: 'absent if it is no longer listed' },
        ),
      ),
    }),
    { description: 'at most eight, the most popular first' },
  ),
})

export type WireDashboard = Static<typeof dashboardAnswer>

/** Anonymous totals of all accounts, by UTC day. Nothing in them is of one user. */
export const statsRoutes = group('Statistics', {
  getUserCount: {
    method: 'GET',
    url: '/api/stats/users',
    schema: {
      summary: 'The number of users',
      description: 'One number, as the page shows it.',
      querystring: noQuery,
      response: { 200: userCountAnswer, ...problems },
    },
  },
  getDashboard: {
    method: 'GET',
    url: '/api/stats/dashboard',
    schema: {
      summary: 'Statistics of all users',
      description: 'Sums and averages, registrations by UTC day, and the most popular favourites. No user is named.',
      querystring: noQuery,
      response: { 200: dashboardAnswer, ...problems },
    },
  },
})
