import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KeyGate, Spent } from '../../keys/keyGate.ts'
import { clientOf } from '../clientOf.ts'
import { type Encoding, pickEncoding } from '../wholeList.ts'
import { everyHead, jsonType, keepAndAsk, nextRequestId, toRateHead, toTail } from './heads.ts'
import type { ListEntry, PriceEntry, PricePage } from './priceBook.ts'
import { packTail } from './splice.ts'

export type HotPathDeps = {
  readonly page: () => PricePage
  readonly gate: Pick<KeyGate, 'spend'>
  readonly proxies: number
  /** Counts an answer. */
  readonly observe: (route: HotRoute, status: 200 | 304, seconds: number) => void
}

export type HotRoute = '/api/v1/prices' | '/api/v1/prices/:address'

/** True: the request is being answered. False: it is for the routes, and nothing has been done about it. */
export type HotPath = {
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** What the hot path has spent for a request that it then left to the routes: nobody pays twice. */
  spentFor(request: IncomingMessage): Spent | Promise<Spent> | undefined
}

const listPath = '/api/v1/prices'
const tokenPath = '/api/v1/prices/0x'
const addressLength = 42
const tokenPathLength = '/api/v1/prices/'.length + addressLength

/**
 * The calls that are nearly all calls, all prices or one by its address, answered before the router: no schema to check, no
 * hooks to run, a body that is written already. Whatever is unusual about a call (a query, a body, a refusal, a permit that
 * is not at hand) goes on to the routes, which answer the same.
 */
export function createHotPath({ page, gate, proxies, observe }: HotPathDeps): HotPath {
  const findClient = rememberClients()
  const spentEarlier = new WeakMap<IncomingMessage, Spent | Promise<Spent>>()
  const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const startMs = performance.now()
    const { method, url = '' } = request
    if (method !== 'GET' || !url.startsWith(listPath)) return false
    const isList = url.length === listPath.length
    if (!isList && !(url.length === tokenPathLength && url.startsWith(tokenPath))) return false
    const asked = readHeaders(request.rawHeaders)
    if (!asked) return false
    const encoding = isList ? pickEncoding(asked.encoding) : 'identity'
    const entry = isList ? page().readyList(encoding) : page().find(url.slice(-addressLength).toLowerCase())
    if (!entry) return false
    const spent = gate.spend(asked.key, findClient(toAddress(request.socket.remoteAddress ?? '', asked.forwarded, proxies)))
    if (spent instanceof Promise || !spent.ok) {
      spentEarlier.set(request, spent)
      return false
    }
    const own = { rate: toRateHead(spent.allowance), tail: toTail(spent.allowance), encoding }
    const status = asked.tag === entry.tag ? 304 : 200
    if (status === 304) sendUnchanged(response, entry.tag, own)
    else if ('json' in entry) sendPrice(response, entry, own)
    else sendList(response, entry, own)
    observe(isList ? '/api/v1/prices' : '/api/v1/prices/:address', status, (performance.now() - startMs) / 1000)
    return true
  }
  return {
    spentFor: (request) => spentEarlier.get(request),
    answer: (request, response) => {
      try {
        return answer(request, response)
      } catch (error) {
        if (response.headersSent) response.destroy()
        // The routes know what to say, and the log.
        spentEarlier.set(request, toRejected(error))
        return response.headersSent
      }
    },
  }
}

/** A failure for whoever asks. When nobody does, it is no one's. */
function toRejected(error: unknown): Promise<never> {
  const rejected = Promise.reject(error)
  rejected.catch(() => undefined)
  return rejected
}

type Own = { readonly rate: readonly string[]; readonly tail: string; readonly encoding: Encoding }

function sendUnchanged(response: ServerResponse, tag: string, { rate }: Own): void {
  response.writeHead(304, [...everyHead, 'x-request-id', nextRequestId(), ...keepAndAsk, 'etag', tag, ...rate])
  response.end()
}

function sendPrice(response: ServerResponse, { head, headBytes, charset, tag }: PriceEntry, { rate, tail }: Own): void {
  const length = String(headBytes + tail.length)
  const names = [...everyHead, 'x-request-id', nextRequestId(), ...keepAndAsk, 'etag', tag, ...rate, ...jsonType]
  names.push('content-length', length)
  response.writeHead(200, names)
  response.end(head + tail, charset)
}

function sendList(response: ServerResponse, { head, tag }: ListEntry, own: Own): void {
  const end = packTail(head, Buffer.from(own.tail))
  const names = [...everyHead, 'x-request-id', nextRequestId(), ...keepAndAsk, 'etag', tag, ...own.rate, ...jsonType]
  if (own.encoding !== 'identity') names.push('content-encoding', own.encoding)
  names.push('content-length', String(head.bytes.length + end.length))
  response.writeHead(200, names)
  response.write(head.bytes)
  response.end(end)
}

const clientsMax = 10_000

/** Whom addresses count for: a busy caller's is worked out once. */
function rememberClients(): (ip: string) => string {
  const known = new Map<string, string>()
  return (ip) => {
    const client = known.get(ip) ?? clientOf({ ip })
    if (known.size >= clientsMax) known.clear()
    known.set(ip, client)
    return client
  }
}

type Asked = { key?: string; tag?: string; encoding?: string; forwarded?: string }

/** The headers that decide. Undefined: one of them is said twice, or in a way that the routes have to look at. */
function readHeaders(raw: readonly string[]): Asked | undefined {
  const asked: Asked = {}
  for (let i = 0; i < raw.length; i += 2) {
    const field = watched.get((raw[i] ?? '').toLowerCase())
    if (field === undefined) continue
    if (field === 'unusual' || asked[field] !== undefined) return undefined
    asked[field] = raw[i + 1] ?? ''
  }
  // A list of tags, any tag, a strong one: rare.
  return asked.tag === undefined || /^W\/"[^",]*"$/.test(asked.tag) ? asked : undefined
}

const watched = new Map<string, keyof Asked | 'unusual'>([
  ['x-api-key', 'key'],
  ['if-none-match', 'tag'],
  ['accept-encoding', 'encoding'],
  ['x-forwarded-for', 'forwarded'],
  ['content-length', 'unusual'],
  ['transfer-encoding', 'unusual'],
  ['expect', 'unusual'],
])

/** Whom a call comes from, as Fastify tells it with so many trusted proxies: the `proxies`-th before the connection itself. */
function toAddress(connection: string, forwarded: string | undefined, proxies: number): string {
  if (proxies === 0 || !forwarded) return connection
  const hops = [
    connection,
    ...forwarded
      .split(',')
      .map((hop) => hop.trim())
      .filter(Boolean)
      .reverse(),
  ]
  return hops[Math.min(proxies, hops.length - 1)] ?? connection
}
