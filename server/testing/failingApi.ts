import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../api/createApp.ts'
import type { ApiDeps } from '../api/deps.ts'
import { noBoosts } from '../boosts/boosts.ts'
import { toTokenList } from '../market/tokenList.ts'
import { listed, networkFile } from './market.ts'
import { nowSeconds, toSnapshot } from './priceApi.ts'

const fail = (): never => {
  throw new Error('a bug')
}
/** Throws when it is called, and so does whatever is read of it. */
const broken: object = new Proxy(fail, { get: () => broken })

/** The server's HTTP side in front of nothing that works: once it is up, each of its ports throws what nobody expects. */
export async function createFailingApi(): Promise<FastifyInstance> {
  let isUp = false
  const working: Partial<ApiDeps> = {
    network: networkFile,
    networkName: 'test',
    domain: 'board.example',
    origin: 'https://board.example',
    publicOrigin: undefined,
    highlighted: () => toTokenList(listed, []).tokens,
    snapshot: () => (isUp ? fail() : toSnapshot([])),
    watchSnapshots: () => () => undefined,
    watchIndex: () => () => undefined,
    // Its clock goes on: every route of tokens asks it first, and would fail by nothing else.
    boosts: { ...noBoosts, listPayments: fail },
    sharedStreams: undefined,
    told: undefined,
    nowSeconds: () => nowSeconds,
  }
  const deps = new Proxy(working, {
    get: (known, name) => (Object.hasOwn(known, name) ? Reflect.get(known, name) : broken),
  })
  const options = { logLevel: 'silent', webDir: '/nowhere', logosDir: import.meta.dirname, proxies: 0 }
  const app = await createApp(deps as ApiDeps, options)
  await app.ready()
  isUp = true
  return app
}

/** A line into an app that has ended: what a request hears that came in while its server was closing. @returns where, and an end */
export async function enterClosed(app: FastifyInstance): Promise<{ readonly url: string; close(): Promise<void> }> {
  await app.close()
  const door = createServer((request, response) => app.routing(request, response))
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      door.close(() => resolve())
      door.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`, close }
}
