import { Failure, type FailureCode } from '@chainboard/core'
import type { FastifyError, FastifyInstance } from 'fastify'
import { createLineLimit } from './lineLimit.ts'
import { isProbe, probesHere } from './probes.ts'

/** The one table from our failures to HTTP. */
const statuses: Readonly<Record<FailureCode, number>> = {
  'config-invalid': 500,
  'request-invalid': 400,
  'token-not-found': 404,
  'not-signed-in': 401,
  'pin-invalid': 401,
  'signature-invalid': 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-many-attempts': 429,
  busy: 503,
  'store-unavailable': 503,
  'store-full': 503,
  'store-read-only': 503,
  'store-damaged': 503,
  'store-in-use': 503,
  'store-foreign': 503,
  'rpc-range-too-wide': 502,
  'rpc-rate-limited': 503,
  'rpc-unavailable': 503,
  'rpc-refused': 502,
  'rpc-invalid': 502,
  'rpc-other-chain': 503,
  'rpc-behind': 503,
  'rpc-disputed': 503,
  'wallet-unreadable': 502,
  'not-ready': 503,
  'upstream-unavailable': 503,
  'upstream-rate-limited': 503,
  'upstream-refused': 502,
  'upstream-invalid': 502,
  'upstream-budget-spent': 503,
}

const outOfFilesSeconds = 1

/** The process, or the whole machine, has as many files and connections open as it may. */
function isOutOfFiles({ code }: FastifyError): boolean {
  return code === 'EMFILE' || code === 'ENFILE'
}

/** What the answer with a file says of the file, which an error while it is read is not. */
const fileHeads = [
  'Accept-Ranges',
  'Content-Encoding',
  'Content-Length',
  'Content-Range',
  'Content-Type',
  'ETag',
  'Last-Modified',
]

/** Every error is JSON with a text, and for no cache. What is our own bug goes to the log whole and to the caller as one sentence. */
export function answerProblems(app: FastifyInstance): void {
  const mayTell = createLineLimit(() => performance.now())
  app.setNotFoundHandler((request, reply) => reply.code(404).send({ error: describeNowhere(request) }))
  app.setErrorHandler((error: FastifyError | Failure, request, reply) => {
    for (const name of fileHeads) reply.removeHeader(name)
    reply.header('Cache-Control', 'no-store')
    if (error instanceof Failure) {
      // A full queue is logged at debug only: otherwise a flood of requests would fill the log.
      if (error.retryable) request.log[error.code === 'busy' ? 'debug' : 'warn']({ code: error.code }, error.message)
      const retryAfterSeconds = error.detail['retryAfterSeconds']
      if (typeof retryAfterSeconds === 'number') reply.header('Retry-After', retryAfterSeconds)
      return reply.code(statuses[error.code]).send({ error: error.message })
    }
    if (error.validation) return reply.code(400).send({ error: describeInvalid(error) })
    if (isOutOfFiles(error)) {
      if (mayTell()) request.log.warn({ code: error.code }, 'No file descriptors are left: raise the limit of open files')
      return reply.code(503).header('Retry-After', outOfFilesSeconds).send({ error: 'The server is busy. Try again' })
    }
    const status = error.statusCode ?? 500
    if (status < 500) return reply.code(status).send({ error: error.message })
    request.log.error({ err: error }, 'A request failed because of a bug')
    return reply.code(500).send({ error: 'Something went wrong on the server' })
  })
}

/** `query range: found "2y", expected one of 1d, 3d, 1w, 1m`: ajv's own words with the place, and what was found. */
export function describeInvalid({ validation, validationContext }: FastifyError): string {
  const issue = validation?.[0]
  if (!issue) return 'The request is not valid'
  const schema = 'parentSchema' in issue ? readSchema(issue.parentSchema) : {}
  if (schema.writeOnly) {
    const names = Object.keys(schema.properties ?? {}).join(', ')
    return `${validationContext ?? 'request'}: expected a JSON object with only these fields: ${names}`
  }
  const unknown = issue.params['additionalProperty']
  const place = `${validationContext ?? 'request'}${issue.instancePath.replaceAll('/', ' ')}`
  if (typeof unknown === 'string') return `${place}: found ${cut(unknown)}, expected no such field`
  const allowed = issue.params['allowedValues']
  const wanted = Array.isArray(allowed)
    ? `one of ${allowed.join(', ')}`
    : (schema.description ?? issue.message ?? 'something else')
  const data = 'data' in issue ? issue.data : undefined
  const found = data === undefined ? '' : ` found ${cut(JSON.stringify(data))},`
  return `${place}:${found} expected ${toWish(wanted)}`
}

/** What ajv's `verbose` tells of the schema that was broken. */
type BrokenSchema = { readonly description?: string; readonly writeOnly?: boolean; readonly properties?: object }

function readSchema(schema: unknown): BrokenSchema {
  if (typeof schema !== 'object' || schema === null) return {}
  const { description, writeOnly, properties }: Readonly<Record<string, unknown>> = { ...schema }
  return {
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof properties === 'object' && properties !== null ? { properties } : {}),
    writeOnly: writeOnly === true,
  }
}

/** ajv's words as a wish: `must NOT have more than 100 items` -> `at most 100 items`, `must be string` -> `it to be string`. */
function toWish(words: string): string {
  const [, bound, count = '', things = ''] = /^must NOT have (fewer|more) than (\d+) (\w+)$/.exec(words) ?? []
  if (bound) return `${bound === 'more' ? 'at most' : 'at least'} ${count} ${count === '1' ? things.replace(/s$/, '') : things}`
  return words.replace(/^must /, 'it to ')
}

/** What is said where nothing is. */
export function describeNowhere({ method, url }: { readonly method: string; readonly url: string }): string {
  const nothing = `No route for ${method} ${cut(url)}`
  return isProbe(url.split('?')[0] ?? '') ? `${nothing}: ${probesHere}` : nothing
}

function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
