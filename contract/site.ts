import { type Static, Type } from 'typebox'
import { priceRulesSchema } from './receipts.ts'
import { group } from './route.ts'
import { noQuery, nullableText, orNull, problems } from './shapes.ts'

/** Answer of `/api/config`. URL templates carry `{address}` or `{hash}`. */
const configAnswer = Type.Object({
  siteName: Type.String(),
  domain: Type.String(),
  chain: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    nativeCurrency: Type.Object({ name: Type.String(), symbol: Type.String(), decimals: Type.Integer() }),
    rpcUrl: Type.String(),
  }),
  wrappedNative: Type.Object({ address: Type.String(), symbol: Type.String() }),
  usdc: Type.Object({ address: Type.String(), decimals: Type.Integer() }),
  prices: orNull(priceRulesSchema, {
    description: 'the rules that compute prices from pools, as in each receipt; null if the server has no index',
  }),
  boost: orNull(Type.Object({ contract: Type.String() }), {
    description: 'where boosts are paid; null where the chain has no boost contract',
  }),
  links: Type.Array(Type.Object({ label: Type.String(), url: Type.String() })),
  contact: Type.Object(
    { email: nullableText, chatUrl: nullableText },
    { description: 'contact for keys of the price API, and for help with it' },
  ),
  explorer: orNull(Type.Object({ txUrl: Type.String(), addressUrl: Type.String() })),
  dex: Type.Object({
    name: Type.String(),
    swapUrl: orNull(Type.String(), { description: 'null where the exchange has no such page' }),
    poolUrl: orNull(Type.String(), { description: 'null where the exchange has no such page' }),
  }),
  brand: Type.Object({
    accentDark: Type.String(),
    accentLight: Type.String(),
    logo: orNull(Type.String(), { description: 'a path on this server; null for the product’s own mark' }),
  }),
  demoWallets: Type.Array(Type.Object({ name: Type.String(), privateKey: Type.String() }), {
    description: 'wallets that anyone may use; only on a local test chain',
  }),
  walletConnect: orNull(Type.Object({ projectId: Type.String(), relayUrl: Type.String() }), {
    description: 'how browsers reach wallets on other devices with WalletConnect; null where the operator does not offer it',
  }),
})

export type WireConfig = Static<typeof configAnswer>

/** The settings of the site, which change with a restart only, and the description of all routes. */
export const siteRoutes = group('Site', {
  getConfig: {
    method: 'GET',
    url: '/api/config',
    schema: {
      summary: 'Settings of the site that the page needs',
      description: 'From the network file: the chain, the exchange, links and colours. It changes only with a restart.',
      querystring: noQuery,
      response: { 200: configAnswer, ...problems },
    },
  },
  getOpenApi: {
    method: 'GET',
    url: '/api/openapi.json',
    schema: {
      summary: 'This description',
      description: 'OpenAPI 3.1 of every route except pages and files.',
      querystring: noQuery,
      response: { 200: Type.Object({}), ...problems },
    },
  },
})
