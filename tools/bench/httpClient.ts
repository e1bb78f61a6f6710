import { Agent, get } from 'node:http'

export type HttpClient = {
  /** @throws Error when nobody answers within 10 s */
  get(path: string): Promise<{ readonly status: number; readonly body: string }>
  close(): void
}

const timeoutMs = 10_000

/** Asks one server over one kept connection. */
export function createHttpClient(baseUrl: string): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    get: (path) =>
      new Promise((resolve, reject) => {
        const call = get(new URL(path, baseUrl), { agent, timeout: timeoutMs }, (response) => {
          let body = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            body += chunk
          })
          response.on('error', reject)
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
        })
        call.on('timeout', () => call.destroy(new Error(`${baseUrl}${path} did not answer within ${timeoutMs / 1_000} s`)))
        call.on('error', reject)
      }),
    close: () => agent.destroy(),
  }
}
