import { Agent, request } from 'node:http'
import { NotMeasured } from './notMeasured.ts'

type Answer = { readonly status: number; readonly body: string }

/** One server, asked over one kept connection. */
export type HttpClient = {
  /** @throws NotMeasured without an answer within 10 s */
  get(path: string): Promise<Answer>
  /** Sends JSON. @throws like `get` */
  post(path: string, json: string): Promise<Answer>
  close(): void
}

const timeoutMs = 10_000

/** Asks one server over one kept connection. */
export function createHttpClient(baseUrl: string): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (path: string, json?: string) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = json === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) }
      const options = { agent, timeout: timeoutMs, method: json === undefined ? 'GET' : 'POST', headers }
      const call = request(new URL(path, baseUrl), options, (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          body += chunk
        })
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      })
      call.on('timeout', () => call.destroy(new NotMeasured(`${baseUrl}${path} did not answer within ${timeoutMs / 1_000} s`)))
      call.on('error', reject)
      call.end(json)
    })
  return { get: (path) => ask(path), post: ask, close: () => agent.destroy() }
}
