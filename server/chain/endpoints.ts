import { Failure } from '@chainboard/core'

const coolFirstMs = 1_000
const coolMaxMs = 60_000

type Endpoint<C> = { readonly client: C; failures: number; coolUntilMs: number }

/**
 * Several ways to the same chain. A call goes whole to one of them: the first that is not cooling down after a failure, in
 * the order given; when all are, to the one that has cooled longest. A refusal by the node is no failure of the way.
 */
export class Endpoints<C> {
  readonly #endpoints: Endpoint<C>[]
  readonly #nowMs: () => number

  constructor(clients: readonly C[], nowMs: () => number = Date.now) {
    this.#endpoints = clients.map((client) => ({ client, failures: 0, coolUntilMs: 0 }))
    this.#nowMs = nowMs
  }

  async use<T>(work: (client: C) => Promise<T>): Promise<T> {
    const endpoint = this.#pick()
    try {
      const result = await work(endpoint.client)
      endpoint.failures = 0
      return result
    } catch (error) {
      if (error instanceof Failure && error.retryable && error.code !== 'rpc-range-too-wide') this.#cool(endpoint)
      throw error
    }
  }

  #pick(): Endpoint<C> {
    const now = this.#nowMs()
    const ready = this.#endpoints.find(({ coolUntilMs }) => coolUntilMs <= now)
    if (ready) return ready
    return this.#endpoints.reduce((best, each) => (each.coolUntilMs < best.coolUntilMs ? each : best))
  }

  #cool(endpoint: Endpoint<C>): void {
    endpoint.coolUntilMs = this.#nowMs() + Math.min(coolMaxMs, coolFirstMs * 2 ** endpoint.failures)
    endpoint.failures += 1
  }
}
