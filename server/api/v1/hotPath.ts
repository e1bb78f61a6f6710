import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { priceRoutes } from '@chainboard/contract'
import type { KeyGate, Spent } from '../../keys/keyGate.ts'
import { clientOf } from '../clientOf.ts'
import { pickEncoding } from '../packing.ts'
import { everyHead, jsonType, keepAndAsk, keepLine, nextRequestId, toLines, toRateLines, toTail } from './heads.ts'
import type { CachedList, CachedPrice, CachedPrices } from './priceCache.ts'
import { sendWritten } from './sendWritten.ts'
import { packTail } from './splice.ts'

export type HotPathDeps = {
  readonly prices: () => CachedPrices
  readonly gate: Pick<KeyGate, 'spend'>
  readonly proxies: number
  /** Makes the counter of answers with a status. */
  readonly counterOf: (route: HotRoute, status: 200 | 304) => (seconds: number) => void
  /** Tells the log of an answer. Absent where it keeps no such lines. */
  readonly tell?: ((answer: Answered) => void) | undefined
}

export type HotRoute = (typeof priceRoutes)['listPrices' | 'getPrice']['url']

/** A line of the log, as `logRequests` writes it. */
export type Answered = {
  readonly reqId: string
  readonly method: 'GET'
  readonly route: HotRoute
  readonly status: 200 | 304
  readonly ms: number
}

/** True: the request is being answered. False: it is for the routes, and nothing has been done about it. */
export type HotPath = {
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** What the hot path has spent for a request that it then left to the routes: nobody pays twice. */
  spentFor(request: IncomingMessage): Spent | Promise<Spent> | undefined
}

const listPath = priceRoutes.listPrices.url
const tokenRoute = priceRoutes.getPrice.url
const tokenPath = tokenRoute.replace(':address', '0x')
const addressLength = 42
const tokenPathLength = tokenRoute.replace(':address', '').length + addressLength

/**
 * The calls that are nearly all calls, all prices or one by its address, answered before the router: no schema to check, no
 * hooks to run, a body that is written already. Whatever is unusual about a call (a query, a body, a refusal, a permit that
 * is not at hand, a line that is to be closed) goes on to the routes, which answer the same.
 */
export function createHotPath({ prices, gate, proxies, counterOf, tell }: HotPathDeps): HotPath {
  const findClient = rememberClients()
  const spentEarlier = new WeakMap<IncomingMessage, Spent | Promise<Spent>>()
  const counters = {
    list: { 200: counterOf(listPath, 200), 304: counterOf(listPath, 304) },
    token: { 200: counterOf(tokenRoute, 200), 304: counterOf(tokenRoute, 304) },
  }
  const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const startMs = performance.now()
    const { method, url = '', headers } = request
    if (method !== 'GET' || !url.startsWith(listPath)) return false
    const isList = url.length === listPath.length
    if (!isList && !(url.length === tokenPathLength && url.startsWith(tokenPath))) return false
    if (!response.shouldKeepAlive || isUnusual(headers)) return false
    const encoding = isList ? pickEncoding(headers['accept-encoding']) : 'identity'
    const entry = isList ? prices().readyList(encoding) : prices().find(url.slice(-addressLength).toLowerCase())
    if (!entry) return false
    const given = headers['x-api-key']
    // Node joins several of them: a list is none.
    const key = typeof given === 'string' ? given : undefined
    const spent = gate.spend(key, key === undefined ? findClient(toAddress(request, proxies)) : '')
    if (spent instanceof Promise || !spent.ok) {
      spentEarlier.set(request, spent)
      return false
    }
    const status = headers['if-none-match'] === entry.tag ? 304 : 200
    const reqId = nextRequestId()
    const lines = `x-request-id: ${reqId}\r\netag: ${entry.tag}\r\n${toRateLines(spent.allowance)}`
    if (status === 304) sendWritten(request, response, { status, lines: linesOfUnchanged + lines })
    else if ('json' in entry) sendPrice(request, response, entry, { lines, tail: toTail(spent.allowance) })
    else sendList(request, response, entry, { lines, tail: toTail(spent.allowance) })
    const ms = performance.now() - startMs
    counters[isList ? 'list' : 'token'][status](ms / 1000)
    tell?.({ reqId, method, route: isList ? listPath : tokenRoute, status, ms: Math.round(ms) })
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

/** A failure for each caller that asks for it. If none asks, it is ignored. */
function toRejected(error: unknown): Promise<never> {
  const rejected = Promise.reject(error)
  rejected.catch(() => undefined)
  return rejected
}

const linesOfUnchanged = toLines([...everyHead, ...keepAndAsk, ...keepLine])
const linesOfData = toLines([...everyHead, ...keepAndAsk, ...keepLine, ...jsonType])

/** What is the caller's own in an answer. */
type Own = { readonly lines: string; readonly tail: string }

function sendPrice(request: IncomingMessage, response: ServerResponse, entry: CachedPrice, { lines, tail }: Own): void {
  const { head, headBytes, charset } = entry
  const length = headBytes + tail.length
  sendWritten(request, response, {
    status: 200,
    lines: `${linesOfData}${lines}content-length: ${length}\r\n`,
    body: { text: head + tail, charset },
  })
}

function sendList(request: IncomingMessage, response: ServerResponse, { head }: CachedList, { lines, tail }: Own): void {
  const rest = packTail(head, Buffer.from(tail))
  const length = head.bytes.length + rest.length
  const packed = head.encoding === 'identity' ? '' : `content-encoding: ${head.encoding}\r\n`
  sendWritten(request, response, {
    status: 200,
    lines: `${linesOfData}${lines}${packed}content-length: ${length}\r\n`,
    body: { bytes: head.bytes, rest },
  })
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

const singleTag = /^W\/"[^",]*"$/

/** A body, a condition that takes thinking (a list of tags, any tag, a strong one): for the routes. */
function isUnusual({ expect, 'content-length': length, 'transfer-encoding': coding, 'if-none-match': tag }: IncomingHttpHeaders) {
  const hasBody = length !== undefined || coding !== undefined || expect !== undefined
  return hasBody || !(tag === undefined || singleTag.test(tag))
}

/** Whom a call comes from, as Fastify tells it with so many trusted proxies: the `proxies`-th before the connection itself. */
function toAddress({ socket, headers }: IncomingMessage, proxies: number): string {
  const connection = socket.remoteAddress ?? ''
  const forwarded = headers['x-forwarded-for']
  if (proxies === 0 || !forwarded) return connection
  const hops = [
    connection,
    ...String(forwarded)
      .split(',')
      .map((hop) => hop.trim())
      .filter(Boolean)
      .reverse(),
  ]
  return hops[Math.min(proxies, hops.length - 1)] ?? connection
}
