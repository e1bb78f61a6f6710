import { Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ApiDeps } from './deps.ts'
import { problems } from './schemas.ts'

/** What a wallet or a page needs; nothing that costs a node much, and nothing of a node's owner. */
const allowedMethods = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'net_version',
])

const batchMax = 20
const callsPerMinute = 600

const call = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    // A union of types in one schema: the validator would turn numbers into texts to fit the first of several schemas.
    id: Type.Optional(Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'], maxLength: 100 })),
    method: Type.String({ maxLength: 100 }),
    params: Type.Optional(Type.Union([Type.Array(Type.Unknown(), { maxItems: 20 }), Type.Object({})])),
  },
  { additionalProperties: false },
)

type Call = Type.Static<typeof call>
type Answer = { jsonrpc: '2.0'; id: string | number | null } & (
  | { result: unknown }
  | { error: { code: number; message: string; data?: unknown } }
)

/** The node's JSON-RPC on our own origin, for chains whose node the browser cannot reach. Batches count as many calls. */
export function rpcRoute(deps: ApiDeps): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    app.post(
      '/rpc',
      {
        schema: {
          body: Type.Union([call, Type.Array(call, { minItems: 1, maxItems: batchMax })]),
          response: { 200: Type.Unknown(), ...problems },
        },
        config: { rateLimit: { max: callsPerMinute, timeWindow: '1 minute' } },
      },
      async (request) => {
        const { body } = request
        return Array.isArray(body) ? Promise.all(body.map((each) => answerCall(deps, each))) : answerCall(deps, body)
      },
    )
    done()
  }
}

async function answerCall({ forwardRpc }: ApiDeps, { id = null, method, params = [] }: Call): Promise<Answer> {
  const envelope = { jsonrpc: '2.0', id } as const
  if (!allowedMethods.has(method))
    return { ...envelope, error: { code: -32601, message: `The method ${method} is not offered here` } }
  try {
    return { ...envelope, result: await forwardRpc(method, params) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, data } = error.detail as { code?: unknown; data?: unknown }
    const refused = error.code === 'rpc-refused' && typeof code === 'number'
    return {
      ...envelope,
      error: { code: refused ? code : -32603, message: error.message, ...(refused && data !== undefined ? { data } : {}) },
    }
  }
}
