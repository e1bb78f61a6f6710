import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopback } from '@chainboard/core'

const twoHosts = JSON.stringify({ error: 'The request has more than one Host header' })

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
  refuse(response, 400, twoHosts)
  return true
}

/** Long enough for any name that somebody may have set up by mistake. */
const shownMax = 100

/**
 * Refuses a request to a name that is not one of this machine's own, for a site without a `PUBLIC_URL`: a page of somebody else's may
 * have its name lead here (DNS rebinding), and a proxy would bring visitors to a site that signs by a name which every installation has.
 * A program of HTTP/1.0 that names no host may go on: browsers always do. @returns whether it was refused
 */
export function refuseForeignHost({ headers: { host } }: IncomingMessage, response: ServerResponse): boolean {
  if (host === undefined || isLoopback(host.replace(/:\d*$/, ''))) return false
  const found = JSON.stringify(host.slice(0, shownMax))
  const error = `Host: found ${found}, expected localhost or 127.0.0.1. Set PUBLIC_URL to the address that visitors use`
  refuse(response, 421, JSON.stringify({ error }))
  return true
}

function refuse(response: ServerResponse, status: number, body: string): void {
  const head = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }
  response.writeHead(status, head).end(body)
}
