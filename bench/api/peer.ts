// The price API as it is usually written with other libraries, with the same answers: one token, and the list. A process of its
// own: `peer.ts <kind> <file with the data>`. The list is compressed for each request, as a middleware does.
import { hash } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { readJson } from '../checkShape.ts'
import { NotMeasured } from '../notMeasured.ts'

const peerData = Type.Object({
  tokens: Type.Array(Type.Object({ address: Type.String() })),
  keys: Type.Array(Type.String()),
})
export type PeerKind = 'bare' | 'bareWritten' | 'bareHeaded' | 'express' | 'fastify'
export type PeerData = Readonly<Static<typeof peerData>>

const limit = 10_000_000
const dayMs = 86_400_000
const prefix = '/api/v1/prices/'
const [kind = 'bare', file = ''] = process.argv.slice(2)
const { tokens, keys } = readJson(peerData, file)
const byAddress = new Map(tokens.map((token) => [token.address.toLowerCase(), token]))
const used = new Map(keys.map((key) => [key, 0]))
// Installed apart (`package.json` beside this file), so that what is used of them is typed here.
const load = createRequire(import.meta.url)

/** Counts a request. Undefined: there is no such key. */
function count(key: unknown): { tier: string; limit: number; remaining: number } | undefined {
  const before = used.get(String(key))
  if (before === undefined) return undefined
  used.set(String(key), before + 1)
  return { tier: 'forever', limit, remaining: limit - before - 1 }
}
const toAnswer = (data: unknown, rateLimit: object) => JSON.stringify({ success: true, data, rateLimit })
const pack = (text: string) => promisify(gzip)(text, { level: 6 })
const json = 'application/json; charset=utf-8'

type Answer = { readonly id: string; readonly body: string; readonly remaining: number }

const plainHead = ({ body }: Answer) => ({ 'content-type': json, 'content-length': Buffer.byteLength(body) })

const tags = new Map<string, string>()
let requests = 0
/** The headers that Chainboard sends with every price, by node:http: the tag of a price is computed once. */
function fullHead({ id, body, remaining }: Answer) {
  const tag = tags.get(id) ?? `W/"${hash('sha1', JSON.stringify(byAddress.get(id)), 'base64url')}"`
  tags.set(id, tag)
  requests += 1
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Accept-Encoding, X-API-Key',
    'x-content-type-options': 'nosniff',
    'x-request-id': `bare-${requests.toString(36)}`,
    'cache-control': 'private, no-cache',
    etag: tag,
    'ratelimit-policy': `"day";q=${limit};w=86400`,
    ratelimit: `"day";r=${remaining};t=${86_400 - (Math.floor(Date.now() / 1_000) % 86_400)}`,
    'content-type': json,
    'content-length': Buffer.byteLength(body),
  }
}

/** node:http alone. @param written whether answers are prepared */
function serveBare(written: boolean, toHead: (answer: Answer) => OutgoingHttpHeaders = plainHead) {
  const texts = new Map([...byAddress].map(([id, token]) => [id, `{"success":true,"data":${JSON.stringify(token)},"rateLimit":`]))
  return createServer((request: IncomingMessage, response: ServerResponse) => {
    const rateLimit = count(request.headers['x-api-key'])
    const url = request.url ?? ''
    const id = url.slice(prefix.length).toLowerCase()
    if (!rateLimit) return response.writeHead(401).end()
    if (url === '/api/v1/prices') {
      void pack(toAnswer(tokens, rateLimit)).then((body) =>
        response.writeHead(200, { 'content-type': json, 'content-encoding': 'gzip', 'content-length': body.length }).end(body),
      )
      return undefined
    }
    const token = byAddress.get(id)
    if (!token) return response.writeHead(404).end()
    const body = written ? `${texts.get(id)}${JSON.stringify(rateLimit)}}` : toAnswer(token, rateLimit)
    response.writeHead(200, toHead({ id, body, remaining: rateLimit.remaining })).end(body)
    return undefined
  })
}

function serveExpress() {
  type Request = { get(name: string): string | undefined; params: { address: string } }
  type Response = {
    json(body: unknown): void
    set(head: object): Response
    send(body: Buffer): void
    sendStatus(status: number): void
  }
  type App = RequestListener & {
    use(middleware: object): void
    get(path: string, handler: (request: Request, response: Response) => unknown): void
  }
  const express: () => App = load('express')
  const { rateLimit }: { rateLimit(options: object): object } = load('express-rate-limit')
  const app = express()
  const keyGenerator = (request: Request) => request.get('x-api-key') ?? 'none'
  app.use(rateLimit({ windowMs: dayMs, limit, standardHeaders: 'draft-8', legacyHeaders: false, keyGenerator }))
  app.get(`${prefix}:address`, (request, response) => {
    const [spent, token] = [count(request.get('x-api-key')), byAddress.get(request.params.address.toLowerCase())]
    if (!spent || !token) return response.sendStatus(spent ? 404 : 401)
    return response.json({ success: true, data: token, rateLimit: spent })
  })
  app.get('/api/v1/prices', async (request, response) => {
    const body = await pack(toAnswer(tokens, count(request.get('x-api-key')) ?? {}))
    response.set({ 'Content-Type': json, 'Content-Encoding': 'gzip' }).send(body)
  })
  return createServer(app)
}

async function serveFastify() {
  type Request = { headers: Record<string, string>; params: { address: string } }
  type Reply = { code(status: number): Reply; header(name: string, value: string): Reply; send(body?: unknown): Reply }
  type App = {
    register(plugin: unknown, options: object): Promise<void>
    get(path: string, handler: (request: Request, reply: Reply) => unknown): void
    ready(): Promise<void>
    routing(request: IncomingMessage, response: ServerResponse): void
  }
  const fastify: () => App = load('fastify')
  const app = fastify()
  const keyGenerator = (request: Request) => request.headers['x-api-key'] ?? 'none'
  await app.register(load('@fastify/rate-limit'), { max: limit, timeWindow: dayMs, keyGenerator })
  app.get(`${prefix}:address`, async (request, reply) => {
    const [spent, token] = [count(request.headers['x-api-key']), byAddress.get(request.params.address.toLowerCase())]
    if (!spent || !token) return reply.code(spent ? 404 : 401).send()
    return { success: true, data: token, rateLimit: spent }
  })
  app.get('/api/v1/prices', async (request, reply) => {
    const body = await pack(toAnswer(tokens, count(request.headers['x-api-key']) ?? {}))
    return reply.header('content-type', json).header('content-encoding', 'gzip').send(body)
  })
  await app.ready()
  return createServer((request, response) => app.routing(request, response))
}

const makers = {
  bare: () => serveBare(false),
  bareWritten: () => serveBare(true),
  bareHeaded: () => serveBare(true, fullHead),
  express: serveExpress,
  fastify: serveFastify,
}
if (!isPeerKind(kind)) throw new NotMeasured(`There is no peer "${kind}"`)
const server = await makers[kind]()
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.({ listening: address?.port })
})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))

function isPeerKind(text: string): text is PeerKind {
  return Object.hasOwn(makers, text)
}
