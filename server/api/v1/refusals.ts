import type { WireApiError, WireErrorCode } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import type { Refusal } from '../../keys/keyGate.ts'
import { createLineLimit } from '../lineLimit.ts'
import { describeInvalid, describeNowhere } from '../problem.ts'
import { everyHead, toRefusalHead } from './heads.ts'

/** The one table from what the price API refuses to HTTP. */
const statuses: Readonly<Record<WireErrorCode, 400 | 401 | 403 | 404 | 429 | 500 | 503>> = {
  INVALID_REQUEST: 400,
  INVALID_API_KEY: 401,
  KEY_EXPIRED: 403,
  KEY_INACTIVE: 403,
  TOKEN_NOT_FOUND: 404,
  RATE_LIMIT_EXCEEDED: 429,
  SERVER_ERROR: 500,
  UNAVAILABLE: 503,
}

const refusalTexts: Readonly<Record<Refusal['code'], string>> = {
  INVALID_API_KEY: 'Unknown API key',
  KEY_EXPIRED: 'This API key has expired',
  KEY_INACTIVE: 'This API key is paused',
  RATE_LIMIT_EXCEEDED: 'Daily limit reached. It resets at midnight UTC',
}

const asleepText = 'This free API key was not used for 30 days. Sign again with its wallet at /developers to get a new key'

/** Why a request was not counted, or a stream has ended, for the caller. */
export function describeRefusal(code: Refusal['code']): string {
  return refusalTexts[code]
}

type ApiError = WireApiError['error']

/** @param status where it is not the code's own: of a path, a method or a body that is refused by what it is */
export function sendError(reply: FastifyReply, error: ApiError, status: number = statuses[error.code]): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .code(status)
    .send({ success: false, error } satisfies WireApiError)
}

/** Refuses a call with its code's status, and with the day's figures where they are known. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { code, limit, remaining } = refusal
  setHead(reply, toRefusalHead(refusal))
  const message = refusal.asleep ? asleepText : describeRefusal(code)
  const facts = { ...(limit === undefined ? {} : { limit }), ...(remaining === undefined ? {} : { remaining }) }
  return sendError(reply, { code, message, ...facts })
}

/** Sets headers that are names and values in turn. */
export function setHead(reply: FastifyReply, head: readonly string[]): void {
  for (let i = 0; i < head.length; i += 2) reply.header(head[i] ?? '', head[i + 1])
}

/** What an error looks like below `/api/v1`, whoever finds it. */
export function answerApiProblems(app: FastifyInstance): void {
  const mayWarn = createLineLimit(() => performance.now())
  app.setNotFoundHandler((request, reply) =>
    sendError(reply, { code: 'INVALID_REQUEST', message: describeNowhere(request) }, 404),
  )
  app.setErrorHandler((error: FastifyError | Failure, request, reply) => {
    if (error instanceof Failure) {
      // A store that fails says so; a crowd of refused requests is counted by its status in the metrics.
      if (mayWarn()) request.log.warn({ code: error.code }, error.message)
      return sendFailure(error, reply)
    }
    if (error.validation) return sendError(reply, { code: 'INVALID_REQUEST', message: describeInvalid(error) })
    const status = error.statusCode ?? 500
    if (status < 500) return sendError(reply, { code: 'INVALID_REQUEST', message: error.message }, status)
    request.log.error({ err: error }, 'A request failed because of a bug')
    return sendError(reply, { code: 'SERVER_ERROR', message: 'Something went wrong on the server' })
  })
}

/** What failed was ours or beyond us: the request was not answered and may be sent again. */
function sendFailure(failure: Failure, reply: FastifyReply): FastifyReply {
  const seconds = failure.detail['retryAfterSeconds']
  reply.header('retry-after', typeof seconds === 'number' ? seconds : 1)
  return sendError(reply, { code: 'UNAVAILABLE', message: failure.message })
}

/** An address that cannot even be read, below `/api/v1`, before any route is found. */
export function sendUnreadable(reply: FastifyReply, { id, message }: { readonly id: string; readonly message: string }): void {
  setHead(reply, [...everyHead, 'x-request-id', id, 'content-type', 'application/json; charset=utf-8'])
  sendError(reply, { code: 'INVALID_REQUEST', message })
}
