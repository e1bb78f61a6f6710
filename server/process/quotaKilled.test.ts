import { fork } from 'node:child_process'
import { Agent, get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { readQuotas } from '../store/quotas.ts'
import type { StoreLocation } from '../store/storeLocation.ts'
import { findProgram } from '../testing/findProgram.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { addKey } from '../testing/testKeys.ts'

const stores = createTempStores()
const clients = 200
const limit = 1_000
/** 2026-11-21, the server's day, in days since 1970. */
const today = 20_778
/** A quarter of what is left of the day, at the beginning. */
const leaseMax = 250

/** One process that serves; `statusOf` is undefined when it was gone before it answered. */
async function serve(location: StoreLocation) {
  const program = findProgram('testing/quotaServer')
  const child = fork(program.script, [JSON.stringify(location)], {
    env: program.env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', ({ listening }: { listening: string }) => resolve(listening))
    void ended.then(() => reject(new Error('the server ended')))
  })
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const statusOf = (key: string) =>
    new Promise<number | undefined>((resolve) => {
      const request = get(url, { agent, headers: { 'x-api-key': key } }, (answer) => {
        answer.resume()
        answer.once('end', () => resolve(answer.statusCode))
        answer.once('error', () => resolve(undefined))
      })
      request.once('error', () => resolve(undefined))
    })
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await ended
    agent.destroy()
  }
  return { statusOf, end }
}

/** So many clients at once, each asking again and again until it is refused or gets no answer. */
async function ask(statusOf: (key: string) => Promise<number | undefined>, key: string, onAnswer: (answered: number) => void) {
  let answered = 0
  let unanswered = 0
  const client = async () => {
    for (;;) {
      const status = await statusOf(key)
      if (status === undefined) unanswered += 1
      if (status !== 200) return status
      answered += 1
      onAnswer(answered)
    }
  }
  const last = await Promise.all(Array.from({ length: clients }, client))
  return { answered, unanswered, last }
}

describe.each(engines)('the requests of a day on %s', (engine) => {
  it(`${clients} clients of one key with ${limit} requests have exactly so many answers`, async () => {
    const location = await stores.locate(engine)
    const store = await stores.open(location)
    const { key, record } = await addKey(store, { requestsPerDay: limit })
    const server = await serve(location)
    const { answered, last } = await ask(server.statusOf, key, () => undefined)
    expect(answered).toBe(limit)
    expect(last).toEqual(Array(clients).fill(429))
    await server.end('SIGTERM')
    expect((await readQuotas(store.read, today, [record.id])).get(record.id)).toBe(limit)
  })

  it('killed in the middle and started again, never more, and at most one lease fewer', { timeout: 240_000 }, async () => {
    for (const killAfter of [1, 200, 500, 720, 960]) {
      const location = await stores.locate(engine)
      const store = await stores.open(location)
      const { key } = await addKey(store, { requestsPerDay: limit })
      const first = await serve(location)
      let killed: Promise<void> | undefined
      const before = await ask(first.statusOf, key, (answered) => {
        if (answered >= killAfter) killed ??= first.end('SIGKILL')
      })
      await killed
      const second = await serve(location)
      const after = await ask(second.statusOf, key, () => undefined)
      await second.end('SIGTERM')
      await store.close()
      const answered = before.answered + after.answered
      expect(killed, `killed after ${killAfter}`).toBeDefined()
      expect(after.last).toEqual(Array(clients).fill(429))
      expect(answered).toBeLessThanOrEqual(limit)
      // Whoever was being answered at that moment has spent a permit, too.
      expect(answered + before.unanswered).toBeGreaterThanOrEqual(limit - leaseMax)
    }
  })
})
