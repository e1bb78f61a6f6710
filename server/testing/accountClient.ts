import type { FastifyInstance } from 'fastify'

type Method = 'GET' | 'POST' | 'DELETE'
export type Answer = { readonly status: number; readonly body: unknown; readonly headers: Record<string, unknown> }

/** A browser that calls the accounts' routes and keeps their cookies. */
export type AccountClient = {
  readonly cookies: Map<string, string>
  call(method: Method, url: string, body?: object, headers?: Record<string, string>): Promise<Answer>
}

/** @param address where it comes from; the server must believe one proxy */
export function createAccountClient(app: FastifyInstance, address = '198.51.100.1'): AccountClient {
  const cookies = new Map<string, string>()
  return {
    cookies,
    call: async (method, url, payload, headers = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const sent = { 'x-forwarded-for': address, ...(cookie ? { cookie } : {}), ...headers }
      const answer = await app.inject({ method, url, headers: sent, ...(payload ? { payload } : {}) })
      for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
        if (value) cookies.set(name, value)
        else cookies.delete(name)
      }
      return { status: answer.statusCode, body: answer.body ? answer.json() : undefined, headers: answer.headers }
    },
  }
}
