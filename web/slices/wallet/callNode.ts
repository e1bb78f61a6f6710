import { withCacheBuster } from '../../lib/fetchJson.ts'
import { rpcUrl } from '../../lib/urls.ts'

export type CallNode = (method: string, params: readonly unknown[]) => Promise<unknown>

type Answer = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

const timeoutMs = 15_000
let lastId = 0

/**
 * Asks the chain's node through this server (`POST /rpc`).
 * @throws an error with the node's own `code` and `data`, or -32603 when there is no answer of it
 */
export async function callNode(method: string, params: readonly unknown[]): Promise<unknown> {
  lastId += 1
  const response = await fetch(withCacheBuster(rpcUrl, Date.now().toString(36)), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { result, error } = (await response.json().catch(() => ({}))) as Answer
  if (error) throw Object.assign(new Error(error.message), { code: error.code, data: error.data })
  if (result === undefined) throw Object.assign(new Error(`${method}: status ${response.status}`), { code: -32_603 })
  return result
}
