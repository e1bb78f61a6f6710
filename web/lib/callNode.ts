import { withCacheBuster } from './fetchJson.ts'
import { fieldOf, textOf } from './untrusted.ts'
import { rpcUrl } from './urls.ts'

export type CallNode = (method: string, params: readonly unknown[]) => Promise<unknown>

type Answer = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** The code of a question that a node did not answer. */
export const noAnswer = -32_603

/** What a node says no with. */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly code: number
  readonly data: unknown

  constructor(message: string, code = noAnswer, data?: unknown, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.data = data
  }
}

const timeoutMs = 15_000
let lastId = 0

/** Asks one node. `undefined` when it cannot be reached at all, so that another one may be asked. */
async function ask(url: string, method: string, params: readonly unknown[]): Promise<Answer | undefined> {
  lastId += 1
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined)
  // A server with `"rpc": "off"` has no node to offer.
  if (!response || response.status === 404) return undefined
  const answer = parseAnswer(await response.json().catch(() => undefined))
  return answer.error || answer.result !== undefined
    ? answer
    : { error: { code: noAnswer, message: `status ${response.status}` } }
}

function parseAnswer(body: unknown): Answer {
  const result = fieldOf(body, 'result')
  const error = fieldOf(body, 'error')
  if (typeof error !== 'object' || error === null) return result === undefined ? {} : { result }
  const code = fieldOf(error, 'code')
  const data = fieldOf(error, 'data')
  return {
    error: { code: typeof code === 'number' ? code : noAnswer, message: textOf(error, 'message') ?? 'no reason given', data },
  }
}

/**
 * Asks the chain's node, straight at `url`. Where that cannot be reached, this server asks its own (`POST /rpc`), unless its
 * network file has `"rpc": "off"`.
 * @throws NodeError
 */
export function createNodeCall(url: string): CallNode {
  return async (method, params) => {
    const answer =
      (url === rpcUrl ? undefined : await ask(url, method, params)) ??
      (await ask(withCacheBuster(rpcUrl, Date.now().toString(36)), method, params))
    if (!answer) throw new NodeError(`${method}: no answer`)
    const { result, error } = answer
    if (error) throw new NodeError(error.message, error.code, error.data)
    return result
  }
}
