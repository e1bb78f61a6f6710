import { fieldOf, textOf } from '../../../lib/untrusted.ts'

// The client believes that its relay sends well-formed messages, and throws where nobody catches it when one does not.

/** Requests to a wallet and its answers are some kilobytes. */
const messageCharsMax = 1_000_000

/** Whether a message may still be sent. */
type MaySend = (message: unknown) => boolean

/**
 * Lets only messages of the protocol through to the client, and only those to the relay that may still be sent, on this connection and on
 * every later one.
 */
export function guardRelay(relayer: { provider: unknown }, maySend: MaySend): void {
  let provider = relayer.provider
  guard(provider, maySend)
  Object.defineProperty(relayer, 'provider', {
    get: () => provider,
    set(next: unknown) {
      guard(next, maySend)
      provider = next
    },
  })
}

function guard(provider: unknown, maySend: MaySend): void {
  const connection = fieldOf(provider, 'connection')
  const take = fieldOf(connection, 'onPayload')
  if (typeof connection !== 'object' || connection === null || typeof take !== 'function') return
  Reflect.set(connection, 'onPayload', (event: unknown) => {
    const data = readRelayMessage(fieldOf(event, 'data'))
    if (data !== undefined) take.call(connection, { data })
  })
  const { open, send } = { open: fieldOf(connection, 'open'), send: fieldOf(connection, 'send') }
  if (typeof open !== 'function' || typeof send !== 'function') return
  // The client keeps what it could not send in several places, each of which sends it when the relay is there again.
  Reflect.set(connection, 'send', async (payload: unknown) => {
    if (fieldOf(connection, 'connected') !== true) await open.call(connection)
    if (maySend(fieldOf(fieldOf(payload, 'params'), 'message'))) await send.call(connection, payload)
  })
}

/** What a relay sent; undefined for what is neither an answer nor a message for a topic. */
export function readRelayMessage(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > messageCharsMax) return undefined
  const payload = parse(text)
  const id = fieldOf(payload, 'id')
  if (typeof id !== 'number' && typeof id !== 'string') return undefined
  if (textOf(payload, 'method') === undefined) return hasAnswer(payload) ? payload : undefined
  const data = fieldOf(fieldOf(payload, 'params'), 'data')
  return textOf(data, 'topic') !== undefined && textOf(data, 'message') !== undefined ? payload : undefined
}

function hasAnswer(payload: unknown): boolean {
  return fieldOf(payload, 'result') !== undefined || textOf(fieldOf(payload, 'error'), 'message') !== undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
