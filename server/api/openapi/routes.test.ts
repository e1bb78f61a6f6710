import { routes } from '@chainboard/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../../chain/fakeChain.ts'
import { type Server, startServer } from '../../startServer.ts'
import { openMarket } from '../../testing/market.ts'
import { createTempStores } from '../../testing/tempStores.ts'
import { testConfig } from '../../testing/testConfig.ts'

/** What is registered and no part of the API: pages, files, and the words for a method that a path does not take. */
const others = [
  ...['GET *', 'GET /reset', 'GET /manifest.webmanifest', 'GET /robots.txt', 'GET /sitemap.xml'],
  ...['GET /subgraph', 'GET /api/v1', 'GET /api/v1/', 'GET /api/v1/*'],
]

describe('the routes of the server', () => {
  const stores = createTempStores()
  let server: Server
  beforeAll(async () => {
    const chain = new FakeChain()
    openMarket(chain)
    server = await startServer(testConfig({ store: await stores.locate('sqlite') }), chain)
  })
  afterAll(() => server.close())

  it('are all in the contract', () => {
    const known = new Set(Object.values(routes).map(({ method, url }) => `${method} ${url}`))
    const pathsOfPrices = Object.values(routes).flatMap(({ url }) => (url.startsWith('/api/v1/') ? [url as string] : []))
    const unknown = listRegistered(server.app)
      .filter(({ method, url }) => !known.has(`${method} ${url}`) && !others.includes(`${method} ${url}`))
      .filter(({ url }) => !pathsOfPrices.includes(url))
    expect(
      unknown.map(({ method, url }) => `${method} ${url}`),
      'Declare these in a group of contract/ and register them by it: app.route({ ...routes.x, handler })',
    ).toEqual([])
  })

  it('are all of the contract', () => {
    const missing = Object.entries(routes).filter(([, { method, url }]) => !server.app.hasRoute({ method, url }))
    expect(
      missing.map(([id, { method, url }]) => `${id}: ${method} ${url}`),
      'Register these in server/api with app.route({ ...routes.x, handler }), or take them out of contract/',
    ).toEqual([])
  })

  it('are described in OpenAPI 3.1, all but pages and files', async () => {
    const document = (await server.app.inject('/api/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.title).toBe('Testboard API')
    const described = Object.keys(document.paths)
    expect(described).toContain('/api/v1/prices/{address}')
    const paths = listRegistered(server.app)
      .map(({ url }) => url)
      .filter((path) => /^\/(api|cmc|rpc|subgraph|healthz|readyz|metrics)\b/.test(path))
    expect(
      paths.filter((path) => !/^\/api\/v1(\/\*?)?$/.test(path) && !described.includes(path.replaceAll(/:(\w+)/g, '{$1}'))),
    ).toEqual([])
    expect(paths.length).toBeGreaterThan(30)
    const ids = Object.values(document.paths).flatMap((each) =>
      Object.values(each as object).map(({ operationId }) => operationId as string),
    )
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
  })

  it('say what a form must have, and what may be left out', async () => {
    const { paths } = (await server.app.inject('/api/openapi.json')).json()
    const requiredOf = (path: string) => {
      const { required, content } = paths[path].post.requestBody
      return [required, content['application/json'].schema.required]
    }
    const proof = ['walletAddress', 'signature', 'message']
    expect(requiredOf('/api/keys/generate-free')).toEqual([true, proof])
    // A session stands in for the proof.
    expect(requiredOf('/api/admin/keys')).toEqual([true, ['email']])
    expect(requiredOf('/api/admin/keys/{id}/update')).toEqual([true, undefined])
    expect(requiredOf('/api/users')).toEqual([true, ['username', 'pin']])
  })
})

/** Fastify's tree: each line is a piece of a path, as deep as it is indented. HEAD and OPTIONS follow from the others. */
function listRegistered(app: FastifyInstance): { method: string; url: string }[] {
  const stack: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', piece = '', methods = ''] = /^([│├└─\s]*)(\S+)(?: \((.+)\))?/.exec(line) ?? []
      if (!piece) return []
      const depth = Math.floor(indent.length / 4)
      stack.length = depth
      stack[depth] = piece
      const url = stack.join('')
      return methods.split(', ').flatMap((method) => (/^(|HEAD|OPTIONS)$/.test(method) ? [] : [{ method, url }]))
    })
}
