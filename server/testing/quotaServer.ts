// A process that does nothing but spend: keys over the store that it is told, behind one HTTP route.
import fastify from 'fastify'
import { createKeyService } from '../keys/createKeyService.ts'
import { openStore } from '../store/openStore.ts'
import type { StoreLocation } from '../store/storeLocation.ts'

const [location = ''] = process.argv.slice(2)
const store = await openStore(JSON.parse(location) as StoreLocation)
// Noon of 2026-11-21 by its own clock: no day ends in the middle of a test.
const aheadMs = Date.UTC(2026, 10, 21, 12) - Date.now()
const { gate, stop } = createKeyService({ store, hashClient: () => '0'.repeat(64), nowMs: () => Date.now() + aheadMs })
const app = fastify({ forceCloseConnections: true })
app.get('/', async ({ headers }, reply) => {
  const key = headers['x-api-key']
  const spent = await gate.spend(typeof key === 'string' ? key : undefined, '')
  return reply.code(spent.ok ? 200 : 429).send(spent)
})
process.once('SIGTERM', async () => {
  await app.close()
  await stop()
  await store.close()
  process.disconnect()
})
process.send?.({ listening: await app.listen({ port: 0, host: '127.0.0.1' }) })
