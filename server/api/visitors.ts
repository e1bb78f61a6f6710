import { Failure } from '@chainboard/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts, User } from '../accounts/createAccounts.ts'
import type { Visitor } from '../accounts/visitor.ts'
import { clientOf } from './clientOf.ts'
import { readCookie } from './cookies.ts'
import { isSameOrigin, type SiteAddress } from './isSameOrigin.ts'

export function toVisitor(request: FastifyRequest): Visitor {
  const { cookie } = request.headers
  const isRelayed = isRelayedUnasked(request)
  if (isRelayed) warnOnce(request)
  return {
    client: clientOf(request),
    isRelayed,
    sessionToken: readCookie(cookie, 'session'),
    browserToken: readCookie(cookie, 'browser'),
  }
}

/** Whether a proxy says that it speaks for somebody, where `PROXIES` says that there is none: fastify has `ips` with proxies only. */
function isRelayedUnasked({ headers, ips }: FastifyRequest): boolean {
  return ips === undefined && (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined
}

let hasWarned = false

function warnOnce({ log }: FastifyRequest): void {
  if (hasWarned) return
  hasWarned = true
  log.warn(
    'A proxy forwards visitors (X-Forwarded-For or Forwarded), but PROXIES is 0: all of them count as one address, and none is known by the network. Set PROXIES to the number of proxies in front.',
  )
}

/**
 * The user whose session the request brings, who must be the one that the path names.
 * @throws Failure `not-signed-in`; `forbidden` alike for other users' names and for names that nobody has
 */
export async function requireOwner(accounts: Accounts, request: FastifyRequest, name: string): Promise<User> {
  const user = await accounts.findUser(toVisitor(request).sessionToken)
  if (!user) throw new Failure('not-signed-in', 'Please log in')
  if (user.key !== name.toLowerCase()) throw new Failure('forbidden', 'You are logged in as another user')
  return user
}

/** Lets no page of another site change anything through the routes of `app`. */
export function refuseOtherSites(app: FastifyInstance, site: SiteAddress): void {
  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { origin, 'sec-fetch-site': said } = request.headers
    const fetchSite = typeof said === 'string' ? said : undefined
    if (!isSameOrigin({ origin, fetchSite, host: request.host }, site))
      throw new Failure('forbidden', 'Another site may not do this for you')
  })
}
