import { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createLineLimit } from './lineLimit.ts'

/** What node:http finds wrong before there is a request. Everything else: 400. */
const answers: Readonly<Record<string, { readonly line: string; readonly error: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { line: '408 Request Timeout', error: 'The request took too long to arrive' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { line: '413 Payload Too Large', error: 'The chunk extensions are too long' },
  HPE_HEADER_OVERFLOW: { line: '431 Request Header Fields Too Large', error: 'The request headers are too long' },
}
const unreadable = { line: '400 Bad Request', error: 'The request is not valid HTTP' }

/**
 * Answers what is no HTTP, and closes its line. Nothing of what was sent is kept or logged: a key, a signature or a PIN may be in
 * it, and the error has all of it as `rawPacket`. The log is told the code alone, at debug.
 */
export function createAnswerUnreadable(nowMs: () => number): (this: FastifyInstance, error: Error, socket: Socket) => void {
  const mayLog = createLineLimit(nowMs)
  return function (error, socket) {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN'
    const answering = findAnswer(socket)
    // A client that has disconnected gets no response.
    if (code === 'ECONNRESET' || socket.destroyed) return void socket.destroy()
    // It said that nothing would follow: what does is not read, and its answer, which ends the line, is not lost.
    if (code === 'HPE_CLOSED_CONNECTION' && answering) return
    if (mayLog()) this.log.debug({ code }, 'A request could not be read')
    if (socket.writable && !answering?.headersSent) socket.write(toAnswer(answers[code] ?? unreadable))
    socket.destroySoon()
  }
}

/** The answer that is being written to a socket, as node:http leaves it there for `clientError`. */
function findAnswer(socket: Socket): ServerResponse | undefined {
  return '_httpMessage' in socket && socket._httpMessage instanceof ServerResponse ? socket._httpMessage : undefined
}

function toAnswer({ line, error }: typeof unreadable): string {
  const body = JSON.stringify({ error })
  const head = [
    `HTTP/1.1 ${line}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
