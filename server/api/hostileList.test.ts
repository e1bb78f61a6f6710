import { afterAll, beforeAll, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { toTokenList } from '../market/tokenList.ts'
import { type Server, startServer } from '../startServer.ts'
import { listed } from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const script = '</script><script>alert(1)</script>'
const lineEnds = `a${String.fromCodePoint(0x2028)}b${String.fromCodePoint(0)}c"\\`
const hostile = listed.map((token, i) => ({
  ...token,
  name: [script, '\u202Egnp.exe', '\u200B', 'L'.repeat(20_000), lineEnds, '\uD800 half of a letter'][i] ?? token.name,
  website: 'javascript:alert(1)',
  logo: 'data:image/svg+xml,<svg onload="alert(1)"/>',
}))

let server: Server
beforeAll(async () => {
  const config = testConfig({
    store: { file: `${stores.dir}/hostile.db` },
    tokenList: toTokenList(
      hostile,
      hostile.map(({ address }) => address),
    ),
    logosDir: stores.dir,
  })
  server = await startServer(config, new FakeChain({ genesisAtSeconds: 1_700_000_000 }))
})
afterAll(() => server.close())

it.each(['/assets.json', '/assets.json?sort=nameAsc&pageSize=10&page=1', '/assets.json?search=a', '/highlighted.json'])(
  '%s tells what a list says word for word, as JSON that nothing takes for a page',
  async (path) => {
    const { body, headers } = await server.app.inject(path)
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' })
    for (const { name, website, logo } of JSON.parse(body) as { name: string; website: string; logo: string }[]) {
      expect(hostile.map((token) => token.name)).toContain(name)
      expect([website, logo]).toEqual(['javascript:alert(1)', 'data:image/svg+xml,<svg onload="alert(1)"/>'])
    }
    expect((JSON.parse(body) as unknown[]).length).toBeGreaterThanOrEqual(2)
  },
)
