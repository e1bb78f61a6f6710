import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get as getPlain, type IncomingHttpHeaders } from 'node:http'
import { get as getSecure } from 'node:https'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Server, startServer } from '../startServer.ts'
import { alpha } from '../testing/market.ts'
import { isInstalled, type ProxyName, type ProxyProcess, startProxy } from '../testing/startProxy.ts'
import { tellDay } from '../testing/tellDay.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

type Answer = { readonly status: number | undefined; readonly headers: IncomingHttpHeaders; readonly body: string }

const stores = createTempStores()
let server: Server
beforeAll(async () => {
  server = await startServer(testConfig({ store: await stores.locate('sqlite'), proxies: 1 }), tellDay())
  await server.full
})
afterAll(() => server.close())

it('deploy/nginx.conf turns the access log off on every port', () => {
  const [, ...sites] = readFileSync(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8').split(/^server \{$/m)
  expect(sites.map((site) => /listen (\d+).*^ {2}access_log off;$/ms.exec(site)?.[1])).toEqual(['80', '443'])
})

describe.each<ProxyName>(['nginx', 'caddy'])('deploy/ for %s (skipped where it is not installed)', (name) => {
  const there = it.skipIf(!isInstalled(name))
  let proxy: ProxyProcess | undefined
  beforeAll(async () => {
    if (isInstalled(name)) proxy = await startProxy(name, { folder: join(stores.dir, name), upstreams: [server.url] })
  })
  afterAll(() => proxy?.stop())

  const place = () => ({ host: '127.0.0.1', headers: { host: 'board.example' } })
  const secure = () => ({ ...place(), port: proxy?.httpsPort, ca: proxy?.cert, servername: 'board.example' })
  const collect = (start: typeof getPlain, options: object): Promise<Answer> =>
    new Promise((done, fail) => {
      const asked = start({ agent: false, ...options }, (answer) => {
        let body = ''
        answer.on('data', (chunk: Buffer) => (body += chunk))
        answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers, body }))
      })
      asked.on('error', fail)
    })
  const ask = (path: string, headers: Record<string, string> = {}) =>
    collect(getSecure, { ...secure(), path, headers: { host: 'board.example', ...headers } })
  const countOf = async (route: string) => {
    const line = new RegExp(`^chainboard_http_request_seconds_count\\{method="GET",route="${route}",status="200"\\} (\\d+)$`, 'm')
    return Number(line.exec((await server.app.inject('/metrics')).body)?.[1] ?? 0)
  }

  there('leads a visitor from http to https, and refuses calls that programs send by http', async () => {
    const plain = (path: string) => collect(getPlain, { ...place(), port: proxy?.httpPort, path })
    const page = await plain('/portfolio?a=1')
    expect([page.status, page.headers.location]).toEqual([301, 'https://board.example/portfolio?a=1'])
    for (const path of ['/api/v1/prices', '/rpc', '/subgraph', '/cmc/listed/a']) expect((await plain(path)).status).toBe(403)
  })

  it.skipIf(name !== 'nginx' || !isInstalled(name))(
    'answers the http challenge of certbot, so that certificates renew',
    async () => {
      const challenges = join(stores.dir, name, 'certbot/.well-known/acme-challenge')
      mkdirSync(challenges, { recursive: true })
      writeFileSync(join(challenges, 'a-token'), 'a-token.a-thumbprint')
      const plain = (token: string) =>
        collect(getPlain, { ...place(), port: proxy?.httpPort, path: `/.well-known/acme-challenge/${token}` })
      expect(await plain('a-token')).toMatchObject({ status: 200, body: 'a-token.a-thumbprint' })
      expect((await plain('another')).status).toBe(404)
    },
  )

  it.skipIf(name !== 'nginx' || !isInstalled(name))('keeps no log of who asks for what, with TLS or without', async () => {
    await collect(getPlain, { ...place(), port: proxy?.httpPort, path: '/wallet/without-tls' })
    await collect(getPlain, { ...place(), port: proxy?.httpPort, path: '/.well-known/acme-challenge/nothing-there' })
    await ask('/wallet/with-tls')
    const logs = ['access.log', 'error.log'].map((file) => readFileSync(join(stores.dir, name, file), 'utf8'))
    expect(logs).toEqual(['', ''])
  })

  there('speaks TLS 1.2 and 1.3, and nothing older', async () => {
    const speak = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      new Promise((done) => {
        const versions = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const
        const line = connectTls({ ...secure(), ...versions }, () => {
          done(line.getProtocol())
          line.destroy()
        })
        line.once('error', () => done('refused'))
      })
    expect([await speak('TLSv1.1'), await speak('TLSv1.2'), await speak('TLSv1.3')]).toEqual(['refused', 'TLSv1.2', 'TLSv1.3'])
  })

  there('says once that the site is reached by TLS alone, and takes nobody at his word for where he comes from', async () => {
    const { headers } = await ask('/api/config')
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
    const left = async (forged: string) => {
      const { body } = await ask('/api/v1/prices', { 'x-forwarded-for': forged })
      return (JSON.parse(body) as { rateLimit: { remaining: number } }).rateLimit.remaining
    }
    const first = await left('198.51.100.1')
    expect([await left('198.51.100.2'), await left('198.51.100.3, 203.0.113.9')]).toEqual([first - 1, first - 2])
  })

  there('hands on a stream of prices as it comes', async () => {
    const first = await new Promise<string>((done, fail) => {
      const asked = getSecure({ ...secure(), agent: false, path: `/api/v1/stream?addresses=${alpha}` }, (answer) => {
        answer.once('data', (chunk: Buffer) => {
          done(`${answer.headers['content-type']} ${chunk}`)
          asked.destroy()
        })
      })
      asked.on('error', fail)
    })
    expect(first).toMatch(/^text\/event-stream/)
  })

  it.skipIf(name !== 'nginx' || !isInstalled(name))(
    'asks once a second for what is the same for everybody, whatever the page adds',
    async () => {
      const before = await countOf('/assets.json')
      const path = (place: number) => ['/assets.json?', '/assets.json?sort=nameAsc&'][place % 2]
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          ask(`${path(i)}_=${i}`, { 'accept-encoding': i % 4 < 2 ? 'gzip, deflate' : 'deflate, gzip;q=0.9' }),
        ),
      )
      for (const { status } of answers) expect(status).toBe(200)
      // Two addresses, at most for two seconds that the calls are spread over.
      expect((await countOf('/assets.json')) - before).toBeLessThanOrEqual(4)
      const [whole, sorted] = await Promise.all([ask('/assets.json?_=a'), ask('/assets.json?sort=nameAsc&_=b')])
      expect(JSON.parse(whole.body)).toHaveLength(6)
      expect(JSON.parse(sorted.body)[0].symbol).toBe('ALPHA')
      expect(whole.headers['cache-control']).toBe('public, max-age=0, s-maxage=1')
      const packed = await ask('/assets.json?_=c', { 'accept-encoding': 'gzip, deflate, br' })
      expect([packed.headers['content-encoding'], whole.headers['content-encoding']]).toEqual(['br', undefined])
    },
  )

  it.skipIf(name !== 'nginx' || !isInstalled(name))('asks once for the picture of a token, whatever a crawler adds', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => ask(`/token/${alpha}/share.png?utm=${i}`)))
    expect(answers.map(({ status, headers }) => `${status} ${headers['content-type']}`)).toEqual(Array(8).fill('200 image/png'))
    expect(await countOf('/token/:address/share.png')).toBe(1)
  })

  it.skipIf(name !== 'nginx' || !isInstalled(name))("keeps no user's answer and no error", async () => {
    const before = await countOf('/api/status')
    for (let i = 0; i < 3; i += 1) await ask('/api/status')
    expect((await countOf('/api/status')) - before).toBe(3)
    expect((await ask('/assets.json?sort=best')).status).toBe(400)
    expect((await ask('/api/users/ann')).status).toBe(401)
  })
})
