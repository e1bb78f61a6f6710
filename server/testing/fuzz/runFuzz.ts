import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createRandom } from '@chainboard/devnet'
import { createContract, type Exchange, type OpenApi } from '../contract.ts'
import { createRequests, type FuzzRequest, type Known } from './generateRequest.ts'

export type FuzzOptions = {
  readonly url: string
  readonly document: OpenApi
  readonly known: Known
  readonly count: number
  readonly seed: string
  readonly signal?: AbortSignal
  readonly onProgress?: (sent: number) => void
}

export type FuzzReport = {
  readonly sent: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** `getPrice 404`: operations with the statuses that were looked at. */
  readonly kept: ReadonlySet<string>
  /** What went wrong, each with the request that shows it; the first 20. */
  readonly faults: readonly string[]
  readonly faultCount: number
}

const atOnce = 16
const answerMsMax = 20_000
const faultsShown = 20
const bodyLengthMax = 64 * 1024 * 1024

/** Sends requests over HTTP and judges each answer: no 5xx, no line that breaks, nothing that the description does not say. */
export async function runFuzz({ url, document, known, count, seed, signal, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const contract = createContract(document)
  const next = createRequests(document, known, createRandom(seed))
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const statuses: Record<string, number> = {}
  const faults: string[] = []
  let [sent, faultCount] = [0, 0]

  const worker = async () => {
    while (sent < count && !signal?.aborted) {
      sent += 1
      if (sent % 5_000 === 0) onProgress?.(sent)
      const request = next()
      const outcome = await sendSurely(url, request, agent)
      const fault = outcome instanceof Error ? `no answer: ${outcome.message}` : judgeText(outcome, contract.judge)
      if (!(outcome instanceof Error)) statuses[outcome.status] = (statuses[outcome.status] ?? 0) + 1
      if (fault === undefined) continue
      faultCount += 1
      if (faults.length < faultsShown) faults.push(`${fault.slice(0, 500)}\n  ${JSON.stringify(request).slice(0, 1_000)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  agent.destroy()
  return { sent, statuses, kept: contract.kept, faults, faultCount }
}

function judgeText(exchange: Exchange, byContract: (exchange: Exchange) => string | undefined): string | undefined {
  try {
    return judge(exchange, byContract)
  } catch (error) {
    return `status ${exchange.status}, no JSON: ${(error as Error).message}`
  }
}

function judge(exchange: Exchange, byContract: (exchange: Exchange) => string | undefined): string | undefined {
  const { path, status, type, body, method } = exchange
  // What node:http refuses by itself, before anybody sees the request.
  if (status === 417 || status === 431) return undefined
  if (status >= 500) return `status ${status}: ${body.slice(0, 200)}`
  const wrong = method === 'HEAD' ? undefined : byContract(exchange)
  if (wrong) return wrong
  const isRefusal = status >= 400 && method !== 'HEAD' && type?.startsWith('application/json')
  if (!isRefusal) return undefined
  const { success, error, errors, status: words } = JSON.parse(body) as Record<string, unknown>
  if (/^\/api\/v1([/?#]|$)/.test(path))
    return success === false && error ? undefined : `not the price API's words: ${body.slice(0, 200)}`
  // The site's own words, a subgraph's, CoinMarketCap's.
  return typeof error === 'string' || errors || words ? undefined : `an error without a text: ${body.slice(0, 200)}`
}

/** So often a request is sent that a busy server puts off. */
const triesMax = 4

/**
 * A kept line that the server has just closed says nothing about the request: it goes again, over a line of its own. A server that is busy
 * says when to come back; one that is busy for ever has a fault.
 */
async function sendSurely(url: string, request: FuzzRequest, agent: Agent): Promise<Exchange | Error> {
  for (let tries = 1; ; tries += 1) {
    const first = await send(url, request, agent).catch((error: Error) => error)
    const answer = first instanceof Error ? await send(url, request, false).catch((error: Error) => error) : first
    if (answer instanceof Error || answer.status !== 503 || !answer.retryAfterSeconds || tries === triesMax) return answer
    await sleep(answer.retryAfterSeconds * 1_000)
  }
}

function unpack(bytes: Buffer, encoding: string | undefined): string {
  if (bytes.length === 0 || !encoding) return bytes.toString()
  return (encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString()
}

/** `retryAfterSeconds`: when the server wants the request again; absent where it does not say. */
type Answer = Exchange & { readonly retryAfterSeconds: number | undefined }

function send(url: string, { method, path, headers, body }: FuzzRequest, agent: Agent | false): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    // As it is: no client's own idea of an address repairs it.
    const target = path.replaceAll(/[^\x21-\x7e]/g, encodeURIComponent)
    const length: Record<string, number> = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const all = { ...headers, ...length }
    const call = httpRequest({ hostname, port, agent, method, path: target, headers: all, timeout: answerMsMax }, (answer) => {
      const { statusCode: status = 0 } = answer
      const type = answer.headers['content-type']
      const chunks: Buffer[] = []
      let length = 0
      const done = () => {
        try {
          const retryAfterSeconds = Number(answer.headers['retry-after']) || undefined
          resolve({
            method,
            path,
            status,
            type,
            retryAfterSeconds,
            body: unpack(Buffer.concat(chunks), answer.headers['content-encoding']),
          })
        } catch (error) {
          reject(error)
        }
      }
      // A stream does not end by itself.
      if (type?.startsWith('text/event-stream')) {
        call.destroy()
        return done()
      }
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length < bodyLengthMax) chunks.push(chunk)
      })
      answer.on('end', done)
      answer.on('error', reject)
    })
    call.on('timeout', () => call.destroy(new Error(`not within ${answerMsMax} ms`)))
    call.on('error', reject)
    call.end(body)
  })
}
