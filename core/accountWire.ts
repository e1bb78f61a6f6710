// What the routes of accounts, favourites and statistics answer, as JSON.

/** Answer of `/api/users/{username}` and of all that changes it. `wallets` are checksummed, in the order they were added. */
export type WireUser = { readonly username: string; readonly wallets: string[] }

/** Answer of `/api/users/{username}/sign-in-code`. `expiresAt` is in unix seconds. */
export type WireSignInCode = { readonly code: string; readonly expiresAt: number }

/** Answer of `/api/stats/users`. */
export type WireUserCount = { readonly totalUsers: number }

/** Answer of `/api/stats/dashboard`. Averages have two decimals at most. */
export type WireDashboard = {
  readonly totalUsers: number
  /** Registered on this UTC day. */
  readonly usersToday: number
  readonly usersWithWallets: number
  readonly usersWithFavorites: number
  readonly totalWallets: number
  readonly avgWalletsPerUser: number
  readonly totalFavorites: number
  readonly avgFavoritesPerUser: number
  /** The last 30 UTC days, oldest first, those without anybody too. `date` is `2026-11-21`. */
  readonly userRegistrationChart: { readonly date: string; readonly users: number }[]
  /** Eight at most, the most favoured first. `token` is absent when the list no longer has it. */
  readonly mostFavoritedTokens: {
    readonly tokenAddress: string
    readonly count: number
    readonly token?: { readonly name: string; readonly symbol: string; readonly address: string; readonly logo: string }
  }[]
}
