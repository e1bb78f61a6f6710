import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServerProcess } from '../testing/serverProcess.ts'
import { operator, signProof } from '../testing/signProof.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()
const clients = 200
const limit = 1_000
/** A quarter of what is left of the day, at the beginning. */
const leaseMax = 250

type Answer = { readonly status: number; readonly body: string }

/** The server as a process; an answer is undefined when it was gone before it was whole. */
async function serve(dir: string) {
  const { child, listening, ended } = startServerProcess({
    DATA_DIR: dir,
    RPC_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'https://board.example',
  })
  const url = await listening
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const read = (key: string) =>
    new Promise<Answer | undefined>((resolve) => {
      const request = get(`${url}/api/v1/prices`, { agent, headers: { 'x-api-key': key } }, (answer) => {
        let body = ''
        answer.on('data', (chunk: Buffer) => (body += chunk))
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body }))
        answer.once('error', () => resolve(undefined))
      })
      request.once('error', () => resolve(undefined))
    })
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await ended
    agent.destroy()
  }
  return { url, read, end }
}

/** A key as an operator makes one. */
async function makeKey(url: string): Promise<string> {
  const proof = await signProof(operator, { siteName: 'Chainboard', purpose: 'Admin Login' })
  const answer = await fetch(`${url}/api/admin/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...proof, email: 'dev@example.org', requestsPerDay: limit }),
  })
  return ((await answer.json()) as { key: { id: string } }).key.id
}

/** So many clients at once, each asking again and again until it is refused or gets no answer. */
async function readAll(read: (key: string) => Promise<Answer | undefined>, key: string, onAnswer: (answered: number) => void) {
  const remaining: number[] = []
  let unanswered = 0
  const client = async () => {
    for (;;) {
      const answer = await read(key)
      if (!answer) unanswered += 1
      if (answer?.status !== 200) return answer
      remaining.push((JSON.parse(answer.body) as { rateLimit: { remaining: number } }).rateLimit.remaining)
      onAnswer(remaining.length)
    }
  }
  const last = await Promise.all(Array.from({ length: clients }, client))
  return { remaining, unanswered, last }
}

const refusal = {
  success: false,
  error: { code: 'RATE_LIMIT_EXCEEDED', message: expect.any(String), limit, remaining: 0 },
}
const tellRefusals = (last: readonly (Answer | undefined)[]) =>
  last.map((answer) => answer && [answer.status, JSON.parse(answer.body)])

/** A day that ends in the middle of a try counts anew: then it is tried once more. */
async function onOneDay(work: (attempt: string) => Promise<() => void>): Promise<void> {
  const today = () => new Date().toISOString().slice(0, 10)
  const day = today()
  const judge = await work('first')
  if (today() === day) return judge()
  return (await work('second'))()
}

it(`${clients} clients of one key with ${limit} requests have exactly so many prices, each count once, and then refusals`, async () => {
  await onOneDay(async (attempt) => {
    const server = await serve(join(stores.dir, `calm ${attempt}`))
    const { remaining, last } = await readAll(server.read, await makeKey(server.url), () => undefined)
    await server.end('SIGTERM')
    return () => {
      expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: limit }, (_, i) => limit - 1 - i))
      expect(tellRefusals(last)).toEqual(Array(clients).fill([429, refusal]))
    }
  })
})

it.each([250, 960])('killed after %d answers and started again, never more, and at most one lease fewer', async (killAfter) => {
  await onOneDay(async (attempt) => {
    const dir = join(stores.dir, `killed ${killAfter} ${attempt}`)
    const first = await serve(dir)
    const key = await makeKey(first.url)
    let killed: Promise<void> | undefined
    const before = await readAll(first.read, key, (answered) => {
      if (answered >= killAfter) killed ??= first.end('SIGKILL')
    })
    await killed
    const second = await serve(dir)
    const after = await readAll(second.read, key, () => undefined)
    await second.end('SIGTERM')
    const answered = before.remaining.length + after.remaining.length
    return () => {
      expect(killed).toBeDefined()
      expect(tellRefusals(after.last)).toEqual(Array(clients).fill([429, refusal]))
      expect(answered).toBeLessThanOrEqual(limit)
      // Whoever was being answered at that moment has spent a permit, too.
      expect(answered + before.unanswered).toBeGreaterThanOrEqual(limit - leaseMax)
    }
  })
})
