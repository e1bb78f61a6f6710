import { Agent, type IncomingMessage, request } from 'node:http'

export type BusyClients = {
  /** Resolves when so many answers have come. */
  answered(count: number): Promise<void>
  /** Resolves when no client finds a listener any more, or `stop` was called. */
  readonly over: Promise<Tally>
  stop(): void
}

/** `broken`: requests that were sent and not answered whole, by error code. `statuses`: answers by status. */
export type Tally = { readonly broken: Readonly<Record<string, number>>; readonly statuses: Readonly<Record<number, number>> }

/**
 * Clients that ask one after the other over kept connections, each until nobody listens: a refused connection ends it, since nothing
 * was sent. @param forms path, or path and JSON body, taken in turn
 */
export function startBusyClients(
  url: string,
  count: number,
  forms: readonly (string | readonly [string, () => object])[],
): BusyClients {
  const broken: Record<string, number> = {}
  const statuses: Record<number, number> = {}
  const waiters = new Set<{ readonly count: number; readonly done: () => void }>()
  let [answers, stopped] = [0, false]
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const run = async (first: number) => {
    for (let turn = first; !stopped; turn += 1) {
      const form = forms[turn % forms.length] as (typeof forms)[number]
      const [path, body] = typeof form === 'string' ? [form, undefined] : [form[0], form[1]()]
      const result = await ask(new URL(path, url), agent, body)
      if (result === 'REFUSED') return
      if (typeof result === 'string') broken[result] = (broken[result] ?? 0) + 1
      else statuses[result] = (statuses[result] ?? 0) + 1
      answers += 1
      for (const waiter of waiters) if (answers >= waiter.count) waiter.done()
    }
  }
  const over = Promise.all(Array.from({ length: count }, (_, i) => run(i))).then(() => {
    agent.destroy()
    return { broken, statuses }
  })
  return {
    over,
    stop: () => {
      stopped = true
    },
    answered: (wanted) => new Promise((done) => waiters.add({ count: wanted, done })),
  }
}

/** The status of a whole answer, or the code of what came instead: `REFUSED` when no connection was made. */
function ask(url: URL, agent: Agent, body: object | undefined): Promise<number | string> {
  const { promise, resolve } = Promise.withResolvers<number | string>()
  const fail = ({ syscall, code, message }: NodeJS.ErrnoException) =>
    // Also by a reset: its listener was closed while the system introduced them.
    resolve(syscall === 'connect' && (code === 'ECONNREFUSED' || code === 'ECONNRESET') ? 'REFUSED' : (code ?? message))
  const options = body ? { method: 'POST', headers: { 'content-type': 'application/json' } } : {}
  const asked = request(url, { agent, ...options }, (answer: IncomingMessage) => {
    answer.on('error', fail)
    answer.on('end', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 'CUT'))
    answer.resume()
  })
  asked.on('error', fail)
  asked.end(body && JSON.stringify(body))
  return promise
}
