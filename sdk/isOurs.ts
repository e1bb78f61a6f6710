import type { Answer, Ended, ErrorAnswer, Price, Ready, Retracted } from './wire.ts'

// Whether what came is the price API's, by what nothing else has. Its fields are not checked one by one: a newer API may have more.

/** The envelope of every answer. What is in `data` follows from the route that was asked. */
export function isAnswer<T>(body: unknown): body is Answer<T> {
  return hasFields(body) && body['success'] === true && 'data' in body
}

/** What a refusal has, whatever its code: later versions may have others. */
export function isErrorAnswer(body: unknown): body is ErrorAnswer {
  return hasFields(body) && hasFields(body['error']) && typeof body['error']['code'] === 'string'
}

/** The first event of a stream. */
export function isReady(data: unknown): data is Ready {
  return hasFields(data) && typeof data['resumed'] === 'boolean'
}

/** A price that has changed, or that a stream begins with. */
export function isPrice(data: unknown): data is Price {
  return hasFields(data) && typeof data['usdPrice'] === 'number'
}

/** What a reorg made void. */
export function isRetracted(data: unknown): data is Retracted {
  return hasFields(data) && Array.isArray(data['addresses'])
}

/** The last event of a stream that may not continue. */
export function isEnded(data: unknown): data is Ended {
  return hasFields(data) && typeof data['code'] === 'string' && typeof data['message'] === 'string'
}

function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
