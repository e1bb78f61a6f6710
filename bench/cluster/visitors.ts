import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProxyProcess } from '../../server/testing/startProxy.ts'

const visitors = 16
/** Between an answer and the next request: the machine is shared with what is measured. */
const pauseMs = 25
/** One request in so many makes an account: it must not be sent twice, so that nobody repeats it for the visitor. */
const registerEvery = 50

export type Visits = {
  readonly asked: number
  /** Answered by 5xx, cut off, or refused. */
  readonly failed: number
  /** Accounts that were acknowledged. */
  readonly registered: number
  /** How often each status came, by what was asked where it failed. */
  readonly words: string
}

type Visitors = { asked(): number; askedAll(count: number): Promise<void>; stop(): Promise<Visits> }
type Question = { readonly method: 'GET' | 'POST'; readonly path: string; readonly headers?: object; readonly body?: object }

/** People and programs that ask through a proxy over kept connections, each from an address of its own. */
export function startVisitors(proxy: ProxyProcess, { key, token }: { readonly key: string; readonly token: string }): Visitors {
  const statuses = new Map<string, number>()
  let [asked, failed, registered, stopped] = [0, 0, 0, false]
  const waiters = new Set<() => void>()
  const reads: readonly Question[] = [
    ...['/', '/assets.json', '/api/status', '/api/trending', `/api/tokens/${token}/chart?range=1m`, `/api/tokens/${token}/swaps`],
  ].map((path) => ({ method: 'GET', path }))
  const questions: readonly Question[] = [...reads, { method: 'GET', path: '/api/v1/prices', headers: { 'x-api-key': key } }]
  const visit = async (place: number) => {
    const line = {
      keepAlive: true,
      maxSockets: 1,
      ca: proxy.cert,
      servername: 'board.example',
      localAddress: `127.0.${place + 1}.1`,
    }
    const agent = new Agent(line)
    for (let turn = place; !stopped; turn += 1) {
      const isNew = turn % registerEvery === 0
      const form = { username: `visitor${place}x${turn}`, pin: '7291' }
      const question = isNew ? { method: 'POST' as const, path: '/api/users', body: form } : questions[turn % questions.length]
      if (!question) return
      const status = await ask(proxy, agent, question)
      asked += 1
      const isFailed = typeof status !== 'number' || status >= 500 || status === 0
      if (isFailed) failed += 1
      if (status === 201) registered += 1
      const name = isFailed ? `${status} of ${question.method} ${question.path}` : String(status)
      statuses.set(name, (statuses.get(name) ?? 0) + 1)
      for (const look of waiters) look()
      await sleep(pauseMs)
    }
    agent.destroy()
  }
  const over = Promise.all(Array.from({ length: visitors }, (_, place) => visit(place)))
  return {
    asked: () => asked,
    askedAll: (count) => new Promise((resolve) => waiters.add(() => asked >= count && resolve())),
    stop: async () => {
      stopped = true
      await over
      return { asked, failed, registered, words: [...statuses].map(([name, times]) => `${times} x ${name}`).join(', ') }
    },
  }
}

/** The status of a whole answer, or the code of what came instead. */
function ask({ httpsPort }: ProxyProcess, agent: Agent, { method, path, headers, body }: Question): Promise<number | string> {
  const { promise, resolve } = Promise.withResolvers<number | string>()
  const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
  const json = body ? { 'content-type': 'application/json' } : {}
  const sent = { host: 'board.example', ...json, ...headers }
  const asking = request({ host: '127.0.0.1', port: httpsPort, agent, method, path, headers: sent }, (answer) => {
    answer.on('error', fail)
    answer.on('end', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 'CUT'))
    answer.resume()
  })
  asking.on('error', fail)
  asking.end(body && JSON.stringify(body))
  return promise
}
