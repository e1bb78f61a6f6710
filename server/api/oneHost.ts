import type { IncomingMessage, ServerResponse } from 'node:http'

const answer = JSON.stringify({ error: 'The request has more than one Host header' })
const head = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(answer),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  connection: 'close',
}

/**
 * Refuses a request with two `Host` lines, as RFC 9112 (3.2) wants: a proxy in front may have gone by the other one than we do.
 * node:http takes the first. @returns whether it was refused
 */
export function refuseSecondHost({ rawHeaders }: IncomingMessage, response: ServerResponse): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts < 2) return false
  response.writeHead(400, head).end(answer)
  return true
}
