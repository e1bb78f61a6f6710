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

/** A socket as node:http leaves it to `clientError`, with the answer that is being written to it. */
type Line = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null }

/**
 * Answers what is no HTTP, and closes its line. Nothing of what was sent is kept or logged: a key, a signature or a PIN may be in
 * it, and the error has all of it as `rawPacket`. The log is told the code alone, at debug.
 */
export function createAnswerUnreadable(nowMs: () => number): (this: FastifyInstance, error: Error, socket: Socket) => void {
  const mayLog = createLineLimit(nowMs)
  return function (error, socket) {
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException
    // Whoever has hung up hears nothing.
    if (code === 'ECONNRESET' || socket.destroyed) return void socket.destroy()
    // It said that nothing would follow: what does is not read, and its answer, which ends the line, is not lost.
    if (code === 'HPE_CLOSED_CONNECTION' && (socket as Line)._httpMessage) return
    if (mayLog()) this.log.debug({ code }, 'A request could not be read')
    if (socket.writable && !(socket as Line)._httpMessage?.headersSent) socket.write(toAnswer(answers[code] ?? unreadable))
    socket.destroySoon()
  }
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
