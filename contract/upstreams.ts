import { type Static, Type } from 'typebox'
import { group } from './route.ts'
import { exact, noQuery, problems } from './shapes.ts'

// What is passed on: CoinMarketCap's words and the node's JSON-RPC.

const status = Type.Object({
  timestamp: Type.String(),
  error_code: Type.Unsafe<number | string>({ type: ['number', 'string'] }),
  error_message: Type.Union([Type.String(), Type.Null()]),
  elapsed: Type.Number(),
  credit_count: Type.Number(),
})
/** CoinMarketCap's own fields are passed on, whatever they are. */
const cmcAnswers = {
  200: Type.Object({ status, data: Type.Unknown() }),
  '4xx': Type.Object({ status }),
  '5xx': Type.Object({ status }),
}
const segment = Type.String({ maxLength: 100 })

const rpcBatchMax = 20

const rpcCall = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    // A union of types in one schema: the validator would turn numbers into texts to fit the first of several schemas.
    id: Type.Optional(Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'], maxLength: 100 })),
    method: Type.String({ maxLength: 100 }),
    params: Type.Optional(Type.Union([Type.Array(Type.Unknown(), { maxItems: 20 }), Type.Object({})])),
  },
  exact,
)

export type RpcCall = Static<typeof rpcCall>

const rpcBody = Type.Union([rpcCall, Type.Array(rpcCall, { minItems: 1, maxItems: rpcBatchMax })])

/** CoinMarketCap, a subgraph and the node, in their own formats, errors included. A call spends no credit of CoinMarketCap. */
export const upstreamRoutes = group('Upstreams', {
  getCmcListed: {
    method: 'GET',
    url: '/cmc/listed/:slug',
    schema: {
      summary: "CoinMarketCap's data on a listed token",
      description:
        'From cached answers, in CoinMarketCap’s own format, errors included. `slug` is the end of the token’s page there.',
      params: Type.Object({ slug: segment }),
      querystring: noQuery,
      response: cmcAnswers,
    },
  },
  getCmcDex: {
    method: 'GET',
    url: '/cmc/dex/:pool/:network',
    schema: {
      summary: "CoinMarketCap's data on a pool",
      description:
        'From cached answers, in CoinMarketCap’s own format, errors included. `network` is CoinMarketCap’s name for the chain.',
      params: Type.Object({ pool: segment, network: segment }),
      querystring: noQuery,
      response: cmcAnswers,
    },
  },
  querySubgraph: {
    method: 'POST',
    url: '/subgraph',
    schema: {
      summary: 'GraphQL over the index, as a Uniswap v3 subgraph',
      description:
        'For pages of any site. As with hosted subgraphs, a failed query returns status 200 with `errors` in its body.',
    },
  },
  callNode: {
    method: 'POST',
    url: '/rpc',
    schema: {
      summary: 'JSON-RPC of the chain node, limited to some methods',
      description:
        'One call, or a batch of up to 20. Only methods that wallets and pages need, and none that is expensive for a node.',
      body: rpcBody,
      response: { 200: Type.Unknown(), ...problems },
    },
  },
})
