import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { startServer } from '../startServer.ts'
import { openMarket } from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()

async function startAndClose(): Promise<WeakRef<object>> {
  const chain = new FakeChain()
  openMarket(chain)
  const server = await startServer(testConfig({ store: await stores.locateNew('sqlite') }), chain)
  await server.full
  expect((await server.app.inject('/metrics')).body).toContain('nodejs_gc_duration_seconds')
  await server.close()
  return new WeakRef(server.app)
}

it('a server that was closed leaves nothing of itself in its process', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const app = await startAndClose()
  await expect
    .poll(() => {
      collect()
      return app.deref() === undefined
    })
    .toBe(true)
})
