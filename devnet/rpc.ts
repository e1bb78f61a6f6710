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

type Answer = { id: number; result?: unknown; error?: { code: number; message: string } }

const timeoutMs = 60_000

/** JSON-RPC over one kept connection per caller in flight. */
export function createRpc(url: string): Rpc {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  let nextId = 1
  const toBody = ([method, params]: RpcCall) => ({ jsonrpc: '2.0', id: nextId++, method, params })
  const resultOf = (method: string, answer: Answer | undefined) => {
    if (!answer) throw new RpcError(method, 0, 'no answer')
    if (answer.error) throw new RpcError(method, answer.error.code, answer.error.message)
    return answer.result
  }
  return {
    async call<T>(method: string, params: readonly unknown[] = []) {
      return resultOf(method, (await post(url, agent, toBody([method, params]))) as Answer) as T
    },
    async batch<T>(calls: readonly RpcCall[]) {
      if (calls.length === 0) return []
      const bodies = calls.map(toBody)
      const answers = (await post(url, agent, bodies)) as Answer[] | Answer
      if (!Array.isArray(answers)) throw new RpcError('batch', answers.error?.code ?? 0, answers.error?.message ?? 'no list')
      const byId = new Map(answers.map((answer) => [answer.id, answer]))
      return bodies.map((body) => resultOf(body.method, byId.get(body.id)) as T)
    },
    close: () => agent.destroy(),
  }
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
