import { type Ask, type AskOptions, ask, wait } from './ask.ts'
import { isEnded, isPrice, isReady, isRetracted } from './isOurs.ts'
import { createEventParser, type ServerEvent } from './parseEvents.ts'
import { PriceApiError } from './priceApiError.ts'
import type { PriceEvent } from './priceEvent.ts'

export type FollowOptions = AskOptions & {
  /** After this long without data, the connection counts as broken. */
  readonly silenceMsMax: number
}

/** The pause before a reconnect, unless the server asks for a longer one, of a minute at most. */
const [pauseMs, pauseMsMax] = [2_000, 60_000]

/**
 * Reads a stream without end. When the connection breaks, it reconnects and resumes after the last event; `ready` then says whether events
 * were lost. Ends only when `signal` is aborted, whose reason it throws, or with a `PriceApiError` when the key may no longer be used.
 */
export async function* followPrices(
  request: Omit<Ask, 'body'> & { readonly lastEventId: string | undefined },
  options: FollowOptions,
): AsyncGenerator<PriceEvent, never> {
  let lastId = request.lastEventId
  let waitMs = pauseMs
  const parse = () =>
    createEventParser((ms) => {
      waitMs = Math.min(pauseMsMax, Math.max(pauseMs, ms))
    })
  for (;;) {
    const headers = { ...request.headers, accept: 'text/event-stream', ...(lastId ? { 'last-event-id': lastId } : {}) }
    const line = new AbortController()
    const signal = request.signal ? AbortSignal.any([request.signal, line.signal]) : line.signal
    try {
      const answer = await ask({ url: request.url, headers, signal }, options, async (begun) => begun)
      for await (const event of readEvents(answer, { line, parse: parse(), silenceMsMax: options.silenceMsMax })) {
        const told = toPriceEvent(event)
        lastId = event.id ?? lastId
        if (told) yield told
      }
    } catch (error) {
      request.signal?.throwIfAborted()
      if (error instanceof PriceApiError && !isPassing(error)) throw error
    } finally {
      line.abort()
    }
    // Never sooner than asked: a stream that made room for another has its turn again then.
    await wait(waitMs * (1 + Math.random() / 2), request.signal)
  }
}

/** A broken line is mended, a server comes back; a refusal stays one. */
function isPassing({ code, status }: PriceApiError): boolean {
  return status === undefined ? code === 'NO_ANSWER' : status >= 500
}

type Reading = {
  readonly line: AbortController
  readonly parse: (piece: string) => ServerEvent[]
  readonly silenceMsMax: number
}

async function* readEvents(answer: Response, { line, parse, silenceMsMax }: Reading): AsyncGenerator<ServerEvent> {
  if (!answer.body) return
  const reader = answer.body.getReader()
  const decoder = new TextDecoder()
  for (;;) {
    const timer = setTimeout(() => line.abort(new Error(`Nothing received for ${silenceMsMax} ms`)), silenceMsMax)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    yield* parse(decoder.decode(value, { stream: true }))
  }
}

/** @throws PriceApiError for the end of the stream, and for an event that is none of the API's */
function toPriceEvent({ name, id, data }: ServerEvent): PriceEvent | undefined {
  if (name !== 'ready' && name !== 'price' && name !== 'retracted' && name !== 'ended') return undefined
  const told: unknown = JSON.parse(data)
  if (name === 'ready' && isReady(told)) return { kind: name, id, data: told }
  if (name === 'price' && isPrice(told)) return { kind: name, id, data: told }
  if (name === 'retracted' && isRetracted(told)) return { kind: name, id, data: told }
  if (name === 'ended' && isEnded(told)) throw new PriceApiError(told.code, told.message)
  throw new PriceApiError('NO_ANSWER', `An event "${name}" that is not of the price API`)
}
