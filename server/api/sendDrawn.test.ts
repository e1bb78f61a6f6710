import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync } from 'node:zlib'
import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { mergeSnapshot } from '../market/takeSnapshot.ts'
import { toTokenList } from '../market/tokenList.ts'
import { alpha, listed, networkFile } from '../testing/market.ts'
import { toHelmetOptions } from './helmetOptions.ts'
import type { Pages } from './pages/openPages.ts'
import { webRoutes } from './webRoutes.ts'

const nowSeconds = 1_700_000_000
const webDir = mkdtempSync(join(tmpdir(), 'chainboard-drawn-'))
writeFileSync(join(webDir, 'index.html'), '<html><head><!-- head --><!-- /head --></head><body>board</body></html>')
writeFileSync(join(webDir, 'robots.txt'), 'User-agent: *\n')
afterAll(() => rmSync(webDir, { recursive: true, force: true }))

async function openApp(pages: Pick<Pages, 'find'>): Promise<FastifyInstance> {
  const snapshot = mergeSnapshot([], toTokenList(listed, []), { nowSeconds, chain: undefined })
  const app = fastify()
  await app.register(helmet, toHelmetOptions({ network: networkFile, publicOrigin: undefined }))
  const address = { origin: 'https://board.example', publicOrigin: 'https://board.example' }
  const deps = { network: networkFile, networkName: 'test', ...address, nowSeconds: () => nowSeconds }
  await app.register(webRoutes({ ...deps, snapshot: () => snapshot }, { webDir, logosDir: webDir, pages }))
  return app
}

describe('a page that the server draws', () => {
  const packed = brotliCompressSync('<html>drawn</html>')
  const page = { packed, tag: 'abc', styleHash: "'sha256-xyz'", of: new WeakRef({}), shell: '', drawnAtMs: 0 }
  const openDrawn = (found: typeof page | undefined, asked: string[] = []) =>
    openApp({
      find: async ({ path }) => {
        asked.push(path)
        return found
      },
    })

  it('goes out as it is packed, with its rules allowed by their hash and no others', async () => {
    const drawn = await openDrawn(page)
    const answer = await drawn.inject({ url: '/', headers: { 'accept-encoding': 'gzip, br' } })
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual(['br', 'accept-encoding'])
    expect(answer.rawPayload.equals(packed)).toBe(true)
    expect(answer.headers['content-security-policy']).toContain("style-src 'self' 'sha256-xyz';")
    expect((await drawn.inject('/')).body).toBe('<html>drawn</html>')
    const known = await drawn.inject({ url: '/', headers: { 'if-none-match': 'W/"abc"' } })
    expect([known.statusCode, known.headers.vary]).toEqual([304, 'accept-encoding'])
  })

  it('is packed anew once for all who take gzip alone', async () => {
    const bytes = Buffer.from(packed)
    const drawn = await openDrawn({ ...page, packed: bytes, tag: 'def' })
    const ask = () => drawn.inject({ url: '/', headers: { 'accept-encoding': 'gzip, deflate' } })
    const first = await ask()
    expect([first.headers['content-encoding'], first.headers.vary]).toEqual(['gzip', 'accept-encoding'])
    expect(gunzipSync(first.rawPayload).toString()).toBe('<html>drawn</html>')
    // What it was packed from is not looked at again.
    bytes.fill(0)
    expect((await ask()).rawPayload.equals(first.rawPayload)).toBe(true)
  })

  it('is the same for everybody, and not drawn for what differs by visitor or is not there', async () => {
    const asked: string[] = []
    const drawn = await openDrawn(undefined, asked)
    const cookie = { cookie: '__Host-session=1' }
    for (const url of ['/?utm_source=x', '/portfolio', `/token/${alpha}`, `/token/${'0x'.padEnd(42, '9')}`])
      expect((await drawn.inject({ url, headers: cookie })).body).toContain('board</body>')
    expect(asked).toEqual(['/', `/token/${alpha}`])
  })

  it('has the head of the address that it is kept by, whatever else an address says', async () => {
    const asked: { readonly path: string; readonly shell: string }[] = []
    const drawn = await openApp({
      find: async (wanted) => {
        asked.push(wanted)
        return undefined
      },
    })
    for (const url of ['/', `/?token=${alpha}&token=`, `/?token=${alpha}`, `/?token=0x1&token=${alpha}`]) await drawn.inject(url)
    expect(asked[1]).toEqual(asked[0])
    expect(asked[3]).toEqual(asked[2])
    expect(asked[0]?.shell).toContain('property="og:url" content="https://board.example/"')
    expect(asked[2]?.shell).toContain(`property="og:url" content="https://board.example/token/${alpha}"`)
  })
})
