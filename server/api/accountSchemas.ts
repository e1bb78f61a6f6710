import { Type } from 'typebox'

// What the routes of accounts, favourites and statistics take and answer. What is typed is looked at by server/accounts, which
// says in words what is wrong.

const typed = Type.Optional(Type.Unknown())

function form<T extends Parameters<typeof Type.Object>[0]>(fields: T) {
  return Type.Object(fields, { additionalProperties: false })
}

/** A body with a PIN: `writeOnly` keeps what was found out of the error's text. */
function secretForm<T extends Parameters<typeof Type.Object>[0]>(fields: T) {
  return Type.Object(fields, { additionalProperties: false, writeOnly: true })
}

export const registrationBody = secretForm({ username: typed, pin: typed })
export const pinBody = secretForm({ pin: typed })
export const signInBody = secretForm({ pin: typed, code: typed })
export const walletBody = secretForm({ address: typed, pin: typed })
export const favoriteBody = form({ tokenAddress: typed })

const segment = Type.String()
export const userParams = form({ username: segment })
export const walletParams = form({ username: segment, address: segment })
export const favoriteParams = form({ username: segment, tokenAddress: segment })

export const userAnswer = Type.Object({ username: Type.String(), wallets: Type.Array(Type.String()) })
export const verifiedAnswer = Type.Object({ success: Type.Literal(true) })
export const codeAnswer = Type.Object({ code: Type.String(), expiresAt: Type.Integer() })
export const favoritesAnswer = Type.Array(Type.String())
export const userCountAnswer = Type.Object({ totalUsers: Type.Integer() })

export const dashboardAnswer = Type.Object({
  totalUsers: Type.Integer(),
  usersToday: Type.Integer(),
  usersWithWallets: Type.Integer(),
  usersWithFavorites: Type.Integer(),
  totalWallets: Type.Integer(),
  avgWalletsPerUser: Type.Number(),
  totalFavorites: Type.Integer(),
  avgFavoritesPerUser: Type.Number(),
  userRegistrationChart: Type.Array(Type.Object({ date: Type.String(), users: Type.Integer() })),
  mostFavoritedTokens: Type.Array(
    Type.Object({
      tokenAddress: Type.String(),
      count: Type.Integer(),
      token: Type.Optional(
        Type.Object({ name: Type.String(), symbol: Type.String(), address: Type.String(), logo: Type.String() }),
      ),
    }),
  ),
})
