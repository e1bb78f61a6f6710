import { type RpcCall, routes } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { boundCall, limitExceeded } from '../gateway/boundCall.ts'
import { costOf } from '../gateway/costOf.ts'
import type { RpcMode } from '../networkFile.ts'
import { clientOf } from './clientOf.ts'
import type { NodeGate } from './deps.ts'
import type { SiteAddress } from './isSameOrigin.ts'
import type { Limits } from './limits.ts'
import { mayCallNode } from './mayCallNode.ts'

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
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'net_version',
])

/** Calls of one batch that are with the node at the same time. */
const batchAtOnceMax = 4
/** Of all answers of a batch, as JSON: once they are longer, no further call is made. */
const batchCharsMax = 4 * 1024 * 1024

/** What pages of other sites are told where they may call: `"rpc": "open"`. */
const openHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'content-type, *',
  'Access-Control-Expose-Headers': 'RateLimit, RateLimit-Policy, Retry-After',
  'Access-Control-Max-Age': '86400',
}

/** Who asks, and what is told of a call's cost. */
type Caller = { readonly gateway: NodeGate['gateway']; readonly client: string; readonly charge: (units: number) => void }

/** `mode`: whose pages may call. */
export type RpcRouteDeps = NodeGate & SiteAddress & { readonly limits: Limits; readonly mode: Exclude<RpcMode, 'off'> }

/**
 * The node's JSON-RPC on our own origin, for chains whose node the browser cannot reach. What a call may cost the node is
 * bounded in `gateway/boundCall.ts`, and counted as `gateway/costOf.ts` has it.
 */
export function rpcRoute({ gateway, limits, mode, ...site }: RpcRouteDeps): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    if (mode === 'open') {
      app.addHook('onRequest', async (_request, reply) => void reply.headers(openHeaders))
      app.options(routes.callNode.url, async (_request, reply) => reply.code(204).send())
    }
    app.route({
      ...routes.callNode,
      onRequest: async (request, reply) => {
        const { origin, 'sec-fetch-site': said } = request.headers
        const fetchSite = typeof said === 'string' ? said : undefined
        if (mode === 'site' && !mayCallNode({ origin, fetchSite, host: request.host }, site))
          throw new Failure(
            'forbidden',
            'Pages of other sites may not call this node. If this is the site, its operator has to set PUBLIC_URL',
          )
        // Bodies that are no call count, too.
        limits.spend('gateway', request, reply)
      },
      preHandler: async (request, reply) => {
        const calls = [request.body].flat()
        const cost = calls.reduce((sum, { method, params }) => sum + costOf(method, params, gateway.head()), 0)
        if (cost > 1) limits.spend('gateway', request, reply, cost - 1)
      },
      handler: async (request, reply) => {
        const client = clientOf(request)
        const caller = { gateway, client, charge: (units: number) => limits.charge('gateway', client, units) }
        const { body } = request
        const json = await (Array.isArray(body) ? answerBatch(caller, body) : answerCall(caller, body))
        return reply.type('application/json; charset=utf-8').send(json)
      },
    })
    done()
  }
}

/** @returns JSON text: an answer of the node is not written again */
async function answerBatch(caller: Caller, calls: readonly RpcCall[]): Promise<string> {
  const answers: string[] = []
  let sum = 0
  for (let i = 0; i < calls.length; i += batchAtOnceMax) {
    const some = calls.slice(i, i + batchAtOnceMax)
    const got = sum > batchCharsMax ? some.map(toOverlong) : await Promise.all(some.map((each) => answerCall(caller, each)))
    for (const answer of got) sum += answer.length
    answers.push(...got)
  }
  return `[${answers.join(',')}]`
}

function toOverlong(asked: RpcCall): string {
  const message = `The results of this batch are over ${batchCharsMax} characters: send fewer calls at once`
  return toError(asked, { code: limitExceeded, message })
}

async function answerCall({ gateway, client, charge }: Caller, asked: RpcCall): Promise<string> {
  const { id = null, method, params = [] } = asked
  if (!allowedMethods.has(method)) return toError(asked, { code: -32601, message: `The method ${method} is not available here` })
  const bounded = boundCall(method, params)
  if ('refused' in bounded) return toError(asked, bounded.refused)
  try {
    const { json } = await gateway.call({ method, params: bounded.params, client, charge })
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'busy') return toError(asked, { code: limitExceeded, message: error.message })
    const { code, data } = error.detail
    const refused = error.code === 'rpc-refused' && typeof code === 'number'
    return toError(asked, {
      code: refused ? code : -32603,
      message: error.message,
      ...(refused && data !== undefined ? { data } : {}),
    })
  }
}

function toError({ id = null }: RpcCall, error: { code: number; message: string; data?: unknown }): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}
