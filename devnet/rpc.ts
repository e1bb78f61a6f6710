import { Agent, request } from 'node:http'

/** The node answered with an error: `code` is JSON-RPC's, `message` names the method. */
class RpcError extends Error {
  readonly code: number
  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message}`)
    this.name = 'RpcError'
    this.code = code
  }
}

export type RpcCall = readonly [method: string, params: readonly unknown[]]
export type Rpc = {
  /** One call. @throws RpcError for the node's refusals, Error when it cannot be reached or takes longer than the limit. */
  call<T>(method: string, params?: readonly unknown[]): Promise<T>
  /** Several calls in one request. Their order of execution is not promised. @throws RpcError for the first that failed */
  batch<T>(calls: readonly RpcCall[]): Promise<T[]>
  close(): void
}

type Answer = { id: unknown; result?: unknown; error?: { code: number; message: string } }

const timeoutMs = 60_000

/** JSON-RPC over one kept connection per caller in flight. */
export function createRpc(url: string): Rpc {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  let nextId = 1
  const toBody = ([method, params]: RpcCall) => ({ jsonrpc: '2.0', id: nextId++, method, params })
  const resultOf = <T>(method: string, answer: unknown): T => {
    if (!isAnswer(answer)) throw new RpcError(method, 0, 'no answer')
    if (answer.error) throw new RpcError(method, answer.error.code, answer.error.message)
    // Who calls names the type of the result: the node is our own.
    return answer.result as T
  }
  return {
    async call<T>(method: string, params: readonly unknown[] = []) {
      return resultOf<T>(method, await post(url, agent, toBody([method, params])))
    },
    async batch<T>(calls: readonly RpcCall[]) {
      if (calls.length === 0) return []
      const bodies = calls.map(toBody)
      const answers = await post(url, agent, bodies)
      if (!Array.isArray(answers)) {
        const error = isAnswer(answers) ? answers.error : undefined
        throw new RpcError('batch', error?.code ?? 0, error?.message ?? 'no list')
      }
      const byId = new Map(answers.filter(isAnswer).map((answer) => [answer.id, answer]))
      return bodies.map((body) => resultOf<T>(body.method, byId.get(body.id)))
    },
    close: () => agent.destroy(),
  }
}

function isAnswer(value: unknown): value is Answer {
  if (typeof value !== 'object' || value === null || !('id' in value)) return false
  const error = 'error' in value ? value.error : undefined
  return error === undefined || (typeof error === 'object' && error !== null && 'code' in error && 'message' in error)
}

function post(url: string, agent: Agent, body: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const payload = Buffer.from(JSON.stringify(body))
    const headers = { 'content-type': 'application/json', 'content-length': payload.length }
    const call = request(url, { method: 'POST', agent, headers, timeout: timeoutMs }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        try {
          resolve(JSON.parse(text))
        } catch {
          reject(new Error(`${url} answered HTTP ${response.statusCode}: ${text.slice(0, 200)}`))
        }
      })
    })
    call.on('timeout', () => call.destroy(new Error(`${url} did not answer within ${timeoutMs / 1000} s`)))
    call.on('error', reject)
    call.end(payload)
  })
}
