import type { IncomingMessage, ServerResponse } from 'node:http'

export type Written = {
  readonly status: 200 | 304
  /** Header lines, each ended (`toLines` of heads.ts), that need no check: all but those of the line itself. */
  readonly lines: string
  readonly body?: Body | undefined
}

/** A text, all of it in letters of one byte each or not; or bytes in two parts. */
export type Body =
  | { readonly text: string; readonly charset: 'latin1' | 'utf8' }
  | { readonly bytes: Buffer; readonly rest: Buffer }

/** What node:http keeps of a message and has no type for. */
type InnerResponse = ServerResponse & { _header: string }
type InnerRequest = IncomingMessage & { _dumpAndCloseReadable?(): void }

const firstLines = { 200: 'HTTP/1.1 200 OK\r\n', 304: 'HTTP/1.1 304 Not Modified\r\n' } as const

/**
 * Answers a GET without a body by a head that is text already. node:http checks every name and value of every answer's head; here
 * most never change, and the others are numbers and hashes of ours. Node still does everything else: the order of answers, lines that are
 * kept, slow readers, timeouts. Only where the line stays open: `response.shouldKeepAlive`.
 */
export function sendWritten(request: IncomingMessage, response: ServerResponse, { status, lines, body }: Written): void {
  const head = `${firstLines[status]}${lines}Date: ${dateNow()}\r\nConnection: keep-alive\r\n\r\n`
  const isOnePiece = body !== undefined && 'text' in body && body.charset === 'latin1'
  response.statusCode = status
  // What stands here is sent before the body, as it is: a short body goes with it, in one write.
  ;(response as InnerResponse)._header = isOnePiece ? head + body.text : head
  // Nothing is to be read: node does not wait for its end. As its option `optimizeEmptyRequests`, for this request alone.
  ;(request as InnerRequest)._dumpAndCloseReadable?.()
  if (body === undefined || isOnePiece) response.end()
  else if ('text' in body) response.end(body.text, body.charset)
  else {
    response.write(body.bytes)
    response.end(body.rest)
  }
}

let date = ''

/** As node:http says it: made once a second, so that nobody has to look at the clock for it. */
function dateNow(): string {
  if (date !== '') return date
  const now = new Date()
  date = now.toUTCString()
  const forget = () => {
    date = ''
  }
  setTimeout(forget, 1_000 - now.getMilliseconds()).unref()
  return date
}
