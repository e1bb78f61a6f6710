import { type Static, Type } from 'typebox'
import { problems } from './shapes.ts'

// What is passed on: CoinMarketCap's words and the node's JSON-RPC.

const status = Type.Object({
  timestamp: Type.String(),
  error_code: Type.Unsafe<number | string>({ type: ['number', 'string'] }),
  error_message: Type.Union([Type.String(), Type.Null()]),
  elapsed: Type.Number(),
  credit_count: Type.Number(),
})
/** CoinMarketCap's own fields are passed on, whatever they are. */
export const cmcAnswers = {
  200: Type.Object({ status, data: Type.Unknown() }),
  '4xx': Type.Object({ status }),
  '5xx': Type.Object({ status }),
}
const segment = Type.String({ maxLength: 100 })
export const cmcListedParams = Type.Object({ slug: segment })
export const cmcDexParams = Type.Object({ pool: segment, network: segment })

const rpcBatchMax = 20

const rpcCall = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    // A union of types in one schema: the validator would turn numbers into texts to fit the first of several schemas.
    id: Type.Optional(Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'], maxLength: 100 })),
    method: Type.String({ maxLength: 100 }),
    params: Type.Optional(Type.Union([Type.Array(Type.Unknown(), { maxItems: 20 }), Type.Object({})])),
  },
  { additionalProperties: false },
)

export type RpcCall = Static<typeof rpcCall>

export const rpcBody = Type.Union([rpcCall, Type.Array(rpcCall, { minItems: 1, maxItems: rpcBatchMax })])
export const rpcAnswers = { 200: Type.Unknown(), ...problems }
