import fastify from 'fastify'
import { expect, it } from 'vitest'
import { createTempStores } from '../testing/tempStores.ts'
import { createTestAccounts } from '../testing/testAccounts.ts'
import { createVisitors } from './visitors.ts'

const stores = createTempStores()

it('a caller who hangs up before he has his answer is gone, one who waits for it is not', async () => {
  const accounts = createTestAccounts(await stores.openNew('sqlite'))
  const visitors = createVisitors({ accounts, origin: 'http://board.example' })
  const app = fastify()
  const calls: { gone: AbortSignal; answer: () => void }[] = []
  const heard = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.post('/', async (request, reply) => {
    const { gone } = visitors.of(request, reply)
    const { promise, resolve } = Promise.withResolvers<void>()
    calls.push({ gone: gone as AbortSignal, answer: resolve })
    heard[calls.length - 1]?.resolve()
    await promise
    return {}
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const post = (signal?: AbortSignal) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}', ...(signal ? { signal } : {}) })
  const waits = post()
  await heard[0]?.promise
  const hangUp = new AbortController()
  const leaves = post(hangUp.signal)
  await heard[1]?.promise
  const [first, second] = calls
  const closed = new Promise<void>((resolve) => second?.gone.addEventListener('abort', () => resolve()))
  hangUp.abort()
  await expect(leaves).rejects.toThrow('aborted')
  await closed
  expect(first?.gone.aborted).toBe(false)
  for (const { answer } of calls) answer()
  expect((await waits).status).toBe(200)
  await app.close()
})
