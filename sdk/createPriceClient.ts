import { type AskOptions, ask, notOurs } from './ask.ts'
import { fillPath } from './fillPath.ts'
import { followPrices } from './followPrices.ts'
import { isAnswer } from './isOurs.ts'
import { paths } from './paths.ts'
import type { PriceEvent } from './priceEvent.ts'
import type { Answer, BatchItem, Price, SymbolPrice } from './wire.ts'

export type ClientOptions = {
  /** The site's address: `https://board.example`. */
  readonly baseUrl: string
  /** Without a key, requests count against the caller's IP address. */
  readonly apiKey?: string
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Retries after no response, 429 or 5xx (default 2). */
  readonly retriesMax?: number
  /** The longest wait before a retry (default 10). If the API asks for a longer one, the call fails at once. */
  readonly waitSecondsMax?: number
  /** Timeout for a complete response, or for the start of a stream (default 10,000). */
  readonly timeoutMs?: number
}

export type CallOptions = {
  /** Aborts the call, its waits and its retries. The call then throws the signal's reason. */
  readonly signal?: AbortSignal
}

export type StreamOptions = CallOptions & {
  /** At most 100. Default: all tokens. */
  readonly addresses?: readonly string[]
  /** Resumes after this event of an earlier stream. */
  readonly lastEventId?: string
}

/** Every call may throw. @throws PriceApiError, or the reason of an aborted signal */
export type PriceClient = {
  /** All prices, in the order of the site's token list. */
  listPrices(options?: CallOptions): Promise<Answer<readonly Price[]>>
  /** `getPrice('0x…')` -> `{ data: { symbol: 'ALPHA', usdPrice: 25, … }, rateLimit: { remaining: 9999, … } }` */
  getPrice(address: string, options?: CallOptions): Promise<Answer<Price>>
  /** The verified token with the deepest market of all that have the symbol. */
  getPriceBySymbol(symbol: string, options?: CallOptions): Promise<Answer<SymbolPrice>>
  /** Up to 100 tokens, one result each. Counts as one request. */
  listPricesOf(addresses: readonly string[], options?: CallOptions): Promise<Answer<readonly BatchItem[]>>
  /**
   * Price changes, until the signal aborts it. Reconnects automatically and resumes without a gap as long as the server still has the
   * missed events. `ready` with `resumed: false` means that it does not: then read the prices again.
   */
  streamPrices(options?: StreamOptions): AsyncGenerator<PriceEvent, never>
}

const silenceMsMax = 45_000

/** A client of one site's price API, for Node and browsers. */
export function createPriceClient(options: ClientOptions): PriceClient {
  const root = options.baseUrl.replace(/\/+$/, '')
  const asking: AskOptions = {
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    retriesMax: options.retriesMax ?? 2,
    waitSecondsMax: options.waitSecondsMax ?? 10,
    timeoutMs: options.timeoutMs ?? 10_000,
  }
  const headers: Record<string, string> = options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey }

  const call = async <T>(path: string, { signal }: CallOptions = {}, body?: object): Promise<Answer<T>> => {
    const sent = body && { body: JSON.stringify(body) }
    const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {}
    const url = `${root}${path}`
    const request = { url, headers: { ...headers, ...type }, signal, ...sent }
    return ask(request, asking, async (answer) => {
      const came: unknown = await answer.json()
      return isAnswer<T>(came) ? came : notOurs({ status: answer.status })
    })
  }
  return {
    listPrices: (each) => call(paths.listPrices, each),
    getPrice: (address, each) => call(fillPath(paths.getPrice, { address }), each),
    getPriceBySymbol: (symbol, each) => call(fillPath(paths.getPriceBySymbol, { symbol }), each),
    listPricesOf: (addresses, each) => call(paths.listPricesOf, each, { addresses }),
    streamPrices: ({ addresses, lastEventId, signal } = {}) => {
      const query = addresses ? `?addresses=${addresses.map(encodeURIComponent).join(',')}` : ''
      return followPrices({ url: root + paths.streamPrices + query, headers, signal, lastEventId }, { ...asking, silenceMsMax })
    },
  }
}
