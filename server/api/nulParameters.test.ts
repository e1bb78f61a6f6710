import { routes } from '@chainboard/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type Server, startServer } from '../startServer.ts'
import { createAccountClient } from '../testing/accountClient.ts'
import { alpha, alphaPool, openMarket } from '../testing/market.ts'
import { operator, signProof, withRole } from '../testing/signProof.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const adminWallets = withRole('owner', operator)
/** Has a parameter that its answer does not depend on. */
const takesAnything = '/cmc/dex/:pool/:network'
/** PostgreSQL takes none of these into a text, and tells so by an error. */
const nuls = ['%00', 'x%00y', '0x%0011111111111111111111111111111111111111', '00000000-0000-4000-8000-00000000000%00']
const values: Readonly<Record<string, string>> = {
  username: 'ann',
  tokenAddress: alpha,
  address: alpha,
  pool: alphaPool,
  stakingContract: alphaPool,
  walletAddress: alpha,
  symbol: 'ALPHA',
  slug: 'alpha',
  network: 'test',
  figure: 'price',
  id: '0'.repeat(32),
}

describe.each(engines)('a NUL character in what is sent to %s', (engine) => {
  let server: Server
  let calls = 0
  let session = new Map<string, string>()
  let proof: object = {}
  beforeAll(async () => {
    const chain = new FakeChain()
    openMarket(chain)
    server = await startServer(testConfig({ store: await stores.locate(engine), proxies: 1, adminWallets }), chain)
    await server.full
    const ann = createAccountClient(server.app)
    await ann.call('POST', '/api/users', { username: 'Ann', pin: '4711' })
    session = ann.cookies
    proof = await signProof(operator, { purpose: 'Admin Login' })
  })
  afterAll(() => server.close())

  const send = async (method: string, url: string, body?: object) => {
    const isAdmin = url.startsWith('/api/admin/')
    const sent = method === 'GET' ? undefined : { ...(isAdmin ? proof : { pin: '4711', proof: { pin: '4711' } }), ...body }
    const cookie = [...session].map(([name, value]) => `${name}=${value}`).join('; ')
    calls += 1
    const headers = { 'x-forwarded-for': `198.51.100.${calls % 250}`, cookie }
    const answer = await server.app.inject({ method: method as 'GET', url, headers, ...(sent ? { payload: sent } : {}) })
    return answer.statusCode
  }
  const withParameters = Object.values(routes).filter(({ url }) => url.includes(':'))

  it('as a part of a path is not found, or not understood, on every route', async () => {
    expect(withParameters.length).toBeGreaterThan(40)
    const wrong: unknown[] = []
    for (const { method, url } of withParameters)
      for (const [, hit = ''] of url.matchAll(/:(\w+)/g))
        for (const nul of nuls) {
          const path = url.replaceAll(/:(\w+)/g, (_, name: string) => (name === hit ? nul : (values[name] ?? 'x')))
          const status = await send(method, path)
          if (status >= 500 || (status < 400 && url !== takesAnything)) wrong.push([method, path, status])
        }
    expect(wrong).toEqual([])
  })

  it('in a field of a body fails no route', async () => {
    const wrong: unknown[] = []
    for (const route of Object.values(routes)) {
      const schema: unknown = 'body' in route.schema ? route.schema.body : undefined
      const fields = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
      const path = route.url.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'x')
      for (const field of fields) {
        const status = await send(route.method, path, { [field]: 'x\u0000y' })
        if (status >= 500) wrong.push([route.method, path, field, status])
      }
    }
    expect(wrong).toEqual([])
  })
})
