import type { TSchema } from 'typebox'

/** Groups of routes, with what their description says of them. */
export const tags = {
  Prices: 'The price API, for programs and for pages of any site. Requests count for a key, or for the caller’s address.',
  Tokens: 'The tokens that are listed here, with their market, charts, swaps, receipts and boosts.',
  Wallets: 'What a wallet holds and has staked, read from the chain.',
  Site: 'Settings and state of the site, for its pages and its operator.',
  Upstreams: 'CoinMarketCap, a subgraph and the chain’s node, through this server.',
  Accounts: 'Users with their wallets and favourites. These routes need the user’s session.',
  Statistics: 'Anonymous totals of all users.',
  Keys: 'Free keys of the price API.',
  Admin: 'The operators’ panel. Every call carries a signed message, or a session.',
} as const

export type Tag = keyof typeof tags

/**
 * One route as the server registers it: `app.route({ ...routes.getChart, handler })`. `schema` is what the server checks and
 * writes answers by; OpenAPI shows it with what `forms.ts` adds.
 */
export type Route = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Parameters are `:name`. */
  readonly url: `/${string}`
  readonly schema: {
    readonly summary: string
    /** What the summary does not say: one or two sentences. */
    readonly description: string
    /** Where it is not that of the group. */
    readonly security?: (typeof security)[keyof typeof security]
    readonly params?: TSchema
    readonly querystring?: TSchema
    readonly body?: TSchema
    /** By status. */
    readonly response?: Readonly<Record<string, unknown>>
  }
}

/**
 * Who may call a route, as OpenAPI says it. Routes of the panel carry their signed message in the body, which it has no word for.
 * `key`: anybody, and a key counts for itself.
 */
export const security = { anybody: [], key: [{ apiKey: [] }, {}], session: [{ session: [] }] } as const

/** Routes of one group by their operation ids, which programs made from the description call them by. */
export function group<const R extends Readonly<Record<string, Route>>>(
  tag: Tag,
  routes: R,
  caller: keyof typeof security = 'anybody',
): R {
  for (const [operationId, { schema }] of Object.entries(routes))
    Object.assign(schema, { operationId, tags: [tag], security: schema.security ?? security[caller] })
  return routes
}
