import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isInstalled, type ProxyName, type ProxyProcess, startProxy } from '../testing/startProxy.ts'
import { createTempStores } from '../testing/tempStores.ts'

/** What the server in the middle does with a request: the others answer. */
type Fault = 'none' | 'breaks off' | 'answers 503'

describe.each<ProxyName>(['nginx', 'caddy'])('deploy/ for %s with three servers (skipped where it is not installed)', (name) => {
  const there = it.skipIf(!isInstalled(name))
  const stores = createTempStores()
  const asked: string[] = []
  let fault: Fault = 'none'
  const servers = [0, 1, 2].map((place) =>
    createServer((call, answer) => {
      call.resume()
      call.on('end', () => {
        asked.push(`${call.method} ${place}`)
        if (place === 1 && fault === 'breaks off') call.socket.destroy()
        else answer.writeHead(place === 1 && fault === 'answers 503' && call.url !== '/readyz' ? 503 : 200).end(String(place))
      })
    }),
  )
  let proxy: ProxyProcess | undefined
  beforeAll(async () => {
    const upstreams: string[] = []
    for (const server of servers) {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      upstreams.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    }
    if (isInstalled(name)) proxy = await startProxy(name, { folder: join(stores.dir, name), upstreams })
  })
  afterAll(async () => {
    await proxy?.stop()
    for (const server of servers) server.close().closeAllConnections()
  })
  beforeEach(() => {
    asked.length = 0
    fault = 'none'
  })

  const ask = async (method: string): Promise<number | undefined> => {
    const place = {
      host: '127.0.0.1',
      port: proxy?.httpsPort,
      ca: proxy?.cert,
      servername: 'board.example',
      agent: false as const,
    }
    const call = request({ ...place, method, path: '/api/status', headers: { host: 'board.example' } }).end()
    const [answer]: IncomingMessage[] = await once(call, 'response')
    answer?.resume()
    return answer?.statusCode
  }
  const askNine = async (method: string) => {
    const statuses: (number | undefined)[] = []
    for (let i = 0; i < 9; i += 1) statuses.push(await ask(method))
    return statuses
  }
  const countOf = (what: string) => asked.filter((each) => each === what).length

  there('asks all three', async () => {
    expect(await askNine('GET')).toEqual(Array(9).fill(200))
    for (const place of [0, 1, 2]) expect(countOf(`GET ${place}`)).toBeGreaterThan(0)
  })

  it.skipIf(name !== 'nginx' || !isInstalled(name))(
    'asks the next one when a server loses a request that only reads',
    async () => {
      fault = 'breaks off'
      expect(await askNine('GET')).toEqual(Array(9).fill(200))
      expect(countOf('GET 1')).toBeGreaterThan(0)
    },
  )

  there('never sends twice what writes', async () => {
    fault = 'breaks off'
    const statuses = await askNine('POST')
    expect(statuses).toContain(502)
    expect(asked).toHaveLength(9)
  })

  there("hands on a server's own refusal, and still asks that server", async () => {
    fault = 'answers 503'
    expect(await askNine('GET')).toContain(503)
    expect(asked.filter((each) => each.startsWith('GET')).length).toBeGreaterThanOrEqual(9)
  })

  there('leaves out a server that is down, whatever is asked', async () => {
    const down = servers[1]
    down?.close().closeAllConnections()
    expect(await askNine('GET')).toEqual(Array(9).fill(200))
    expect(await askNine('POST')).toEqual(Array(9).fill(200))
    expect(countOf('POST 0') + countOf('POST 2')).toBe(9)
  })
})
