/** What a route is called in the description of the API. `id`: for programs made from it. */
type RouteWords = { readonly id: string; readonly tag: string; readonly summary: string }

const words: Readonly<Record<string, readonly [id: string, tag: string, summary: string]>> = {
  'GET /api/v1/prices': ['listPrices', 'Prices', 'All prices'],
  'GET /api/v1/prices/:address': ['getPrice', 'Prices', 'The price of a token'],
  'GET /api/v1/prices/symbol/:symbol': [
    'getPriceBySymbol',
    'Prices',
    'The price of the verified token with the deepest market that has a symbol; the others are named',
  ],
  'POST /api/v1/prices/batch': ['listPricesOf', 'Prices', 'Prices of up to 100 tokens, one result for each; one request'],
  'GET /api/v1/stream': ['streamPrices', 'Prices', 'Price changes as server-sent events; Last-Event-ID resumes'],

  'GET /assets.json': ['listTokens', 'Tokens', 'The token list with its market, or a part of it'],
  'GET /highlighted.json': ['listHighlighted', 'Tokens', 'The featured tokens'],
  'GET /api/trending': [
    'listTrending',
    'Tokens',
    'The five tokens with the most organic volume in 24 hours, and what a place costs',
  ],
  'GET /api/tokens/:address/chart': ['getChart', 'Tokens', 'The price of a token over time'],
  'GET /api/tokens/:address/swaps': ['listSwaps', 'Tokens', 'The newest swaps of a token'],
  'GET /api/tokens/:address/receipt': ['getReceipt', 'Tokens', 'A price with all that it rests on'],
  'GET /api/tokens/:address/receipt/:figure': [
    'getFigureReceipt',
    'Tokens',
    'The 24 h change, 24 h volume, a candle or the market cap with all that it rests on',
  ],
  'GET /api/boosts': ['listBoosts', 'Tokens', 'Payments for boosts, newest first: who paid how much for which token'],
  'GET /api/wallets/:address/balance': ['getBalances', 'Wallets', 'What a wallet holds'],
  'GET /api/staking/:stakingContract/:walletAddress': ['getStake', 'Wallets', 'What a wallet has staked in a contract'],

  'GET /api/config': ['getConfig', 'Site', 'What the page has to know of the site'],
  'GET /api/status': ['getStatus', 'Site', 'How fresh the data is'],
  'GET /api/openapi.json': ['getOpenApi', 'Site', 'This description'],
  'GET /healthz': ['getHealth', 'Site', 'Whether the server is alive'],
  'GET /readyz': ['getReadiness', 'Site', 'Whether there is data to serve'],
  'GET /metrics': ['getMetrics', 'Site', 'Figures for Prometheus'],
  'GET /cmc/listed/:slug': ['getCmcListed', 'Upstreams', 'What CoinMarketCap says of a listed token'],
  'GET /cmc/dex/:pool/:network': ['getCmcDex', 'Upstreams', 'What CoinMarketCap says of a pool'],
  'POST /subgraph': ['querySubgraph', 'Upstreams', 'GraphQL over the index, as a Uniswap v3 subgraph'],
  'POST /rpc': ['callNode', 'Upstreams', "The chain node's JSON-RPC, a list of methods"],

  'POST /api/users': ['register', 'Accounts', 'Makes an account and signs in'],
  'GET /api/users/:username': ['getUser', 'Accounts', 'The signed-in user'],
  'DELETE /api/users/:username': ['deleteUser', 'Accounts', 'Deletes the account and all that is its'],
  'POST /api/users/:username/verify-pin': ['verifyPin', 'Accounts', 'Signs in'],
  'POST /api/users/:username/sign-in-code': ['makeSignInCode', 'Accounts', 'A code to sign in with on another device'],
  'POST /api/users/:username/wallets': ['addWallet', 'Accounts', 'Adds a wallet to watch'],
  'DELETE /api/users/:username/wallets/:address': ['removeWallet', 'Accounts', 'Removes a wallet'],
  'POST /api/session/logout': ['logout', 'Accounts', 'Ends the session'],
  'GET /api/favorites/:username': ['listFavorites', 'Accounts', "The user's favourite tokens"],
  'POST /api/favorites/:username': ['addFavorite', 'Accounts', 'Adds a favourite'],
  'DELETE /api/favorites/:username/:tokenAddress': ['removeFavorite', 'Accounts', 'Removes a favourite'],
  'GET /api/stats/users': ['getUserCount', 'Statistics', 'How many users there are'],
  'GET /api/stats/dashboard': ['getDashboard', 'Statistics', 'Figures of all users'],

  'POST /api/keys/generate-free': ['generateFreeKey', 'Keys', "A free API key, by a wallet's signature"],
  'POST /api/admin/verify': ['verifyAdmin', 'Admin', 'Whether a signed message opens the panel'],
  'POST /api/admin/logout': ['logoutAdmin', 'Admin', 'Ends what a signed message opened'],
  'POST /api/admin/keys/list': ['listKeys', 'Admin', 'All keys'],
  'POST /api/admin/stats': ['getKeyStats', 'Admin', 'Figures of all keys'],
  'POST /api/admin/acts': ['listActs', 'Admin', 'What was done in the panel'],
  'POST /api/admin/keys': ['createKey', 'Admin', 'Makes a key; it is told once'],
  'POST /api/admin/keys/:id/update': ['updateKey', 'Admin', 'Changes, pauses or resumes a key'],
  'POST /api/admin/keys/:id/delete': ['deleteKey', 'Admin', 'Deletes a key'],
}

/** @param route `GET /api/status` @returns undefined for what is no part of the API: pages, files, the words for wrong methods */
export function findRouteWords(route: string): RouteWords | undefined {
  if (!Object.hasOwn(words, route)) return undefined
  const [id, tag, summary] = words[route] ?? []
  return id && tag && summary ? { id, tag, summary } : undefined
}
