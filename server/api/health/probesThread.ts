// The probes' own thread: a small HTTP server that answers from what the server's thread last said, however busy that one is.
import { createServer, type ServerResponse } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { Failure } from '@chainboard/core'
import { mayScrape, tokenMissing } from '../metricsToken.ts'
import { answerAlive, answerReady, type ProbeAnswer, type ReadyWord } from './probeAnswers.ts'

export type ProbesPlace = {
  readonly host: string
  readonly port: number
  /** What `/metrics` asks for; undefined: nothing. */
  readonly token: string | undefined
}

/** From the server's thread. Each one is a sign of life. */
export type ToProbes =
  | { readonly kind: 'beat' }
  | ({ readonly kind: 'ready' } & ReadyWord)
  | { readonly kind: 'figures'; readonly text: string; readonly contentType: string }

/** To the server's thread. */
export type FromProbes =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'figures' }

/** Scrapes wait so long for a busy server. Prometheus itself waits 10 s. */
const figuresMsMax = 8_000
/** Scrapes that wait at once. */
const scrapesMax = 20

const port = parentPort
if (!port) throw new Failure('config-invalid', 'This file is a thread of the server: start that')
const say = (word: FromProbes) => port.postMessage(word)
const place: ProbesPlace = workerData
const { host, port: wantedPort, token } = place

let beatMs = performance.now()
let word: (ReadyWord & { readonly atMs: number }) | undefined
const scrapes = new Set<(figures: { readonly text: string; readonly contentType: string } | undefined) => void>()

port.on('message', (message: ToProbes) => {
  beatMs = performance.now()
  if (message.kind === 'ready') word = { ready: message.ready, body: message.body, atMs: beatMs }
  if (message.kind === 'figures') for (const answer of [...scrapes]) answer(message)
})

const secondsSince = (ms: number) => (performance.now() - ms) / 1000

function send(response: ServerResponse, { status, body }: ProbeAnswer | { status: number; body: string }): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(body)
}

function sendFigures(response: ServerResponse): void {
  const refuse = () => send(response, { status: 503, body: '{"error":"The server is too busy to deliver its metrics"}' })
  if (scrapes.size >= scrapesMax) return void refuse()
  const answer: Parameters<typeof scrapes.add>[0] = (figures) => {
    clearTimeout(timer)
    scrapes.delete(answer)
    if (!figures) return void refuse()
    const own = [
      '# HELP chainboard_heartbeat_age_seconds Seconds since the main thread last ran',
      '# TYPE chainboard_heartbeat_age_seconds gauge',
      `chainboard_heartbeat_age_seconds ${secondsSince(beatMs)}`,
      '',
    ].join('\n')
    response.writeHead(200, { 'content-type': figures.contentType, 'cache-control': 'no-store' }).end(figures.text + own)
  }
  const timer = setTimeout(() => answer(undefined), figuresMsMax)
  scrapes.add(answer)
  // One question for all scrapes that wait.
  if (scrapes.size === 1) say({ kind: 'figures' })
}

/** Who opens a connection and asks nothing holds one of these for so long at most: nobody may keep the probes' own callers out. */
const connectionsMax = 2_000
const askMsMax = 2_000
const options = { headersTimeout: askMsMax, requestTimeout: askMsMax, connectionsCheckingInterval: 500, keepAliveTimeout: 30_000 }
const server = createServer(options, ({ method, url = '', headers }, response) => {
  const path = url.split('?')[0]
  if (method !== 'GET' && method !== 'HEAD') return send(response, { status: 405, body: '{"error":"GET only"}' })
  if (path === '/healthz') return send(response, answerAlive(secondsSince(beatMs)))
  if (path === '/readyz') return send(response, answerReady(word, word ? secondsSince(word.atMs) : 0))
  if (path === '/metrics' && !mayScrape(headers.authorization, token)) {
    response.setHeader('www-authenticate', 'Bearer')
    return send(response, { status: 401, body: JSON.stringify(tokenMissing) })
  }
  if (path === '/metrics') return sendFigures(response)
  send(response, { status: 404, body: '{"error":"Try /healthz, /readyz or /metrics"}' })
})
server.maxConnections = connectionsMax
server.on('error', ({ code = 'UNKNOWN' }: NodeJS.ErrnoException) => say({ kind: 'failed', code }))
server.listen(wantedPort, host, () => {
  const address = server.address()
  say({ kind: 'listening', port: typeof address === 'object' && address ? address.port : wantedPort })
})
