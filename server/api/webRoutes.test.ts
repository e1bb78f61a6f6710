import { readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createBuiltSite } from '../testing/builtSite.ts'
import { alpha, beta } from '../testing/market.ts'

/** Whether no file and no folder can be opened, as when the process has no file descriptors left. */
const files = await vi.hoisted(async () => {
  const { default: fs } = await import('node:fs')
  const state: { refusal: string | undefined } = { refusal: undefined }
  const refuse = () => Object.assign(new Error(`${state.refusal}: open files`), { code: state.refusal })
  const [{ open }, { readdir }] = [fs, fs.promises]
  fs.open = ((...given: unknown[]) =>
    state.refusal ? process.nextTick(given.at(-1) as () => void, refuse()) : Reflect.apply(open, fs, given)) as typeof open
  fs.promises.readdir = ((...given: unknown[]) =>
    state.refusal ? Promise.reject(refuse()) : Reflect.apply(readdir, fs.promises, given)) as typeof readdir
  return state
})

const { dir, market, open: openApp } = createBuiltSite()
let app: FastifyInstance
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1]
const titleAt = async (url: string) => titleOf((await app.inject(url)).body)

describe('the page', () => {
  it('is served from memory while its file cannot be read', async () => {
    const path = join(dir, 'web/index.html')
    renameSync(path, `${path}.away`)
    const answer = await app.inject('/').finally(() => renameSync(`${path}.away`, path))
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain('<body>board</body>')
  })

  it('is that of the newest build, of the same size and in the same file as the one before', async () => {
    const path = join(dir, 'web/index.html')
    const before = readFileSync(path, 'utf8')
    const build = (text: string, atSeconds: number) => {
      writeFileSync(path, text)
      utimesSync(path, atSeconds, atSeconds)
    }
    build(before, 1_000_000)
    await app.inject('/')
    build(before.replace('<body>board</body>', '<body>newer</body>'), 1_000_001)
    const answer = await app.inject('/').finally(() => build(before, 1_000_002))
    expect(answer.body).toContain('<body>newer</body>')
  })

  it('is that of the newest build long after it was copied with the time of the one before, too', async () => {
    const path = join(dir, 'web/index.html')
    const before = readFileSync(path, 'utf8')
    const changedNs = () => statSync(path, { bigint: true }).ctimeNs
    const copy = (text: string) => {
      writeFileSync(path, text)
      utimesSync(path, 1_000_000, 1_000_000)
    }
    copy(before)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    try {
      await app.inject('/')
      const beforeNs = changedNs()
      // The file system's clock has steps.
      while (changedNs() === beforeNs) copy(before.replace('<body>board</body>', '<body>newer</body>'))
      expect((await app.inject('/')).body).toContain('<body>newer</body>')
    } finally {
      vi.useRealTimers()
      copy(before)
    }
  })

  it('is named after the site on every path that is not a file', async () => {
    const answer = await app.inject('/')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toContain('<body>board</body>')
    expect(titleOf(answer.body)).toBe('Testboard')
    expect(await titleAt('/no/such/page')).toBe('Testboard')
    expect(await titleAt('/index.html')).toBe('Testboard')
  })

  it('is named after the token whose modal its address opens, in whatever spelling', async () => {
    expect(await titleAt(`/?token=${alpha}`)).toBe('Alpha (ALPHA) price · Testboard')
    expect(await titleAt(`/?chart=${alpha.toUpperCase().replace('0X', '0x')}&range=1w`)).toBe(
      'Alpha (ALPHA) price chart · Testboard',
    )
    expect(await titleAt(`/?q=a&swaps=%20${beta}`)).toBe('Beta (BETA) recent swaps · Testboard')
    expect(await titleAt(`/?boost=${alpha}`)).toBe('Alpha (ALPHA) boost · Testboard')
    expect(await titleAt(`/?swaps=${alpha}&token=${beta}`)).toBe('Beta (BETA) price · Testboard')
  })

  it('is named after the token of the page, and after the site for one that is not listed', async () => {
    expect(await titleAt(`/token/${beta}`)).toBe('Beta (BETA) price · Testboard')
    expect(await titleAt(`/token/${alpha}/`)).toBe('Alpha (ALPHA) price · Testboard')
    for (const text of ['ALPHA', `0x${'9'.repeat(40)}`, '%22%3E%3Cscript%3E', `${alpha}/else`])
      expect(await titleAt(`/token/${text}`)).toBe('Testboard')
  })

  it('lets the page of a receipt, and no other, ask a node that its visitor names', async () => {
    const policyAt = async (url: string) => String((await app.inject(url)).headers['content-security-policy'])
    const [plain, wide] = [await policyAt(`/token/${alpha}`), await policyAt(`/token/${alpha}/receipt`)]
    expect(wide).toContain(' https: http://localhost:* http://127.0.0.1:*')
    expect(wide.replace(' https: http://localhost:* http://127.0.0.1:*', '')).toBe(plain)
    for (const other of ['/', '/swaps', `/token/${alpha}/receipt/else`, `/?next=/token/${alpha}/receipt`])
      expect(await policyAt(other)).toBe(plain)
  })

  it('says what the token costs now', async () => {
    const { body } = await app.inject(`/?token=${alpha}`)
    expect(body).toContain('content="Price $25.00, 24h change +25.00%, market cap $25.00M. Chart and swaps of Alpha on Test."')
    expect((await app.inject(`/?token=${beta}`)).body).toContain('content="Price N/A, 24h change N/A, market cap N/A.')
  })

  it('names the pages that have a name, with or without a slash at the end', async () => {
    expect(await titleAt('/login')).toBe('Login · Testboard')
    expect(await titleAt('/portfolio/')).toBe('Portfolio · Testboard')
    expect(await titleAt(`/users?token=${alpha}`)).toBe('Users · Testboard')
    expect(await titleAt('/login/else')).toBe('Testboard')
    expect(await titleAt('/constructor')).toBe('Testboard')
  })

  it('is the home page for a token that is not listed, for nonsense, and for a token on another path', async () => {
    const nonsense = ['0x12', `0x${'9'.repeat(40)}`, '%E0%A4%A', '"><script>', 'x'.repeat(2_000)]
    for (const text of nonsense) expect(await titleAt(`/?token=${text}`)).toBe('Testboard')
    expect(await titleAt(`/nowhere?token=${alpha}`)).toBe('Testboard')
  })

  it('has an address to keep at home and for a token, and none elsewhere', async () => {
    const canonicalAt = async (url: string) => /rel="canonical" href="(.*?)"/.exec((await app.inject(url)).body)?.[1]
    expect(await canonicalAt('/?q=x&page=3')).toBe('https://board.example/')
    expect(await canonicalAt(`/?chart=${alpha}&range=1m`)).toBe(`https://board.example/token/${alpha}`)
    expect(await canonicalAt(`/token/${alpha.toLowerCase()}?tab=pools`)).toBe(`https://board.example/token/${alpha}`)
    expect(await canonicalAt('/no/such/page')).toBeUndefined()
  })

  it('is asked for each time, and sent again only when it has changed', async () => {
    const url = `/?token=${alpha}`
    const first = await app.inject(url)
    expect(first.headers['cache-control']).toBe('no-cache')
    const etag = String(first.headers.etag)
    const second = await app.inject({ url, headers: { 'if-none-match': `"other", ${etag}` } })
    expect([second.statusCode, second.body, second.headers.etag]).toEqual([304, '', etag])
    market.priceUsd = 30n
    const third = await app.inject({ url, headers: { 'if-none-match': etag } })
    market.priceUsd = 25n
    expect(third.statusCode).toBe(200)
    expect(third.body).toContain('Price $30.00, 24h change +50.00%')
  })

  it('answers HEAD like GET, without the text', async () => {
    const [got, head] = await Promise.all([app.inject('/'), app.inject({ method: 'HEAD', url: '/' })])
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
      expect(head.headers[name]).toBe(got.headers[name])
  })
})

describe('files beside the page', () => {
  it('are kept for good when their name changes with them', async () => {
    expect((await app.inject('/assets/main-1a2b.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await app.inject('/robots.txt')).headers['cache-control']).toBe('no-cache')
    const logo = await app.inject('/logos/test/alpha.svg')
    expect(logo.headers['content-security-policy']).toContain('sandbox')
    expect(logo.headers['cache-control']).toBe('public, max-age=3600')
  })

  it('may be shown by other sites when they are pictures made for that', async () => {
    const policyOf = async (url: string) => (await app.inject(url)).headers['cross-origin-resource-policy']
    expect(await policyOf('/preview.png')).toBe('cross-origin')
    expect(await policyOf('/logos/test/alpha.svg')).toBe('cross-origin')
    expect(await policyOf('/robots.txt')).toBe('same-origin')
  })

  it('may be imported by pages of other sites when they are the client of the price API', async () => {
    const headsOf = async (url: string) => {
      const { headers } = await app.inject(url)
      return [headers['content-type'], headers['access-control-allow-origin'], headers['cross-origin-resource-policy']]
    }
    expect(await headsOf('/price-client.mjs')).toEqual(['application/javascript; charset=utf-8', '*', 'cross-origin'])
    expect(await headsOf('/price-client.d.mts')).toEqual(['text/plain; charset=utf-8', '*', 'cross-origin'])
    expect(await headsOf('/robots.txt')).toEqual(['text/plain; charset=utf-8', undefined, 'same-origin'])
  })

  it('are not replaced by the page when they are missing', async () => {
    for (const path of ['/assets/none.js', '/robots.html', '/logos/test/none.svg', '/api/none'])
      expect((await app.inject(path)).statusCode).toBe(404)
  })

  it('are nowhere: a browser that is sent to one gets the page, which leads home', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    for (const url of ['/foo.bar', '/vitalik.eth', '/index.htm', '/a/b.c', '/assets', '/../robots.txt2', '/%00.eth']) {
      const answer = await app.inject({ url, headers })
      expect([url, answer.statusCode, titleOf(answer.body)]).toEqual([url, 200, 'Testboard'])
    }
    for (const url of ['/assets/none.js', '/logos/test/none.svg', '/api/none', '/api/none.json'])
      expect([url, (await app.inject({ url, headers })).statusCode]).toEqual([url, 404])
    expect((await app.inject({ url: '/robots.txt', headers })).body).toBe(
      'User-agent: *\nSitemap: https://board.example/sitemap.xml\n',
    )
    expect((await app.inject({ url: '/foo.bar', headers: { accept: '*/*' } })).statusCode).toBe(404)
    expect((await app.inject({ method: 'POST', url: '/foo.bar', headers })).statusCode).toBe(404)
  })
})

describe.each(['EMFILE', 'ENFILE'])('a file that cannot be opened since no file descriptor is left (%s)', (refusal) => {
  afterEach(() => {
    files.refusal = undefined
  })

  it.each([
    ['/assets/main-1a2b.js', 'identity'],
    ['/assets/main-1a2b.js', 'br'],
    ['/price-client.d.mts', 'identity'],
    ['/logos/test/alpha.svg', 'identity'],
    ['/logos/test/alpha.svg', 'gzip'],
  ])('may be asked for again at once, and no cache keeps that: %s as %s', async (url, encoding) => {
    const ask = () => app.inject({ url, headers: { 'accept-encoding': encoding } })
    files.refusal = refusal
    const { statusCode, headers, payload } = await ask()
    expect([statusCode, payload]).toEqual([503, '{"error":"The server is busy. Try again"}'])
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '1',
    })
    for (const name of ['etag', 'last-modified', 'accept-ranges', 'content-encoding']) expect(headers[name]).toBeUndefined()
    files.refusal = undefined
    expect((await ask()).statusCode).toBe(200)
  })
})

describe('what monitors and scanners ask for', () => {
  const accepts = ['*/*', 'text/html,application/xhtml+xml,*/*;q=0.8']
  const ask = (url: string, accept: string, method: 'GET' | 'HEAD' = 'GET') => app.inject({ method, url, headers: { accept } })

  it.each([
    '/health',
    '/healthcheck',
    '/ready',
    '/readiness',
    '/live',
    '/livez',
    '/status',
    '/ping',
    '/Health/',
    '/health?full=1',
  ])('is no page under %s, and the answer names the probes that there are', async (url) => {
    for (const accept of accepts) {
      const answer = await ask(url, accept)
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
      expect(answer.json()).toEqual({
        error: `No route for GET ${url}: expected /healthz (liveness), /readyz (readiness) or /metrics`,
      })
      expect((await ask(url, accept, 'HEAD')).statusCode).toBe(404)
    }
  })

  it.each([
    ...['/.git/config', '/.env', '/.aws/credentials', '/a/.svn/entries', '/%2egit/HEAD', '/.well-known/security.txt'],
    ...['/.%67it/config', '/%2f.env', '/a%2f%2eenv', '/%5c.env', '/...', '/.hidden?a=1'],
  ])('is no page under %s', async (url) => {
    for (const accept of accepts)
      expect([(await ask(url, accept)).statusCode, (await ask(url, accept)).json()]).toEqual([
        404,
        { error: `No route for GET ${url}` },
      ])
  })

  it('is the page for a visitor under every other path, which leads home', async () => {
    for (const url of ['/healthy-tokens', '/statuses', '/a/health', '/living', '/nowhere'])
      expect([url, titleOf((await ask(url, accepts[1] as string)).body)]).toEqual([url, 'Testboard'])
  })
})

describe('a page', () => {
  it('may use of a browser only what it needs: clipboard, full screen and passkeys', async () => {
    for (const url of ['/', '/portfolio']) {
      const policy = String((await app.inject(url)).headers['permissions-policy'])
      expect(policy.split(', ')).toEqual(
        expect.arrayContaining([
          'clipboard-write=(self)',
          'fullscreen=(self)',
          'publickey-credentials-get=(self)',
          'camera=()',
          'geolocation=()',
          'usb=()',
        ]),
      )
    }
  })
})

it('a script is sent as the build has packed it, to a client that accepts that', async () => {
  const read = async (encoding: string) => {
    const { headers, body } = await app.inject({ url: '/assets/main-1a2b.js', headers: { 'accept-encoding': encoding } })
    return [headers['content-encoding'], headers['content-type'], headers['cache-control'], headers.vary, body]
  }
  const [type, kept] = ['application/javascript; charset=utf-8', 'public, max-age=31536000, immutable']
  expect(await read('gzip, deflate, br')).toEqual(['br', type, kept, 'accept-encoding', 'packed by brotli'])
  expect(await read('gzip')).toEqual(['gzip', type, kept, 'accept-encoding', 'packed by gzip'])
  expect(await read('identity')).toEqual([undefined, type, kept, 'accept-encoding', 'let a = 1\n'])
})
