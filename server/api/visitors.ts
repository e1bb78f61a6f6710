import { Failure } from '@chainboard/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts, User } from '../accounts/createAccounts.ts'
import type { Visitor } from '../accounts/visitor.ts'
import { clientOf } from './clientOf.ts'
import { createCookies } from './cookies.ts'
import type { Site } from './deps.ts'
import { isSameOrigin, type SiteAddress } from './isSameOrigin.ts'
import { toBrowserName } from './toBrowserName.ts'

/** Who calls, as far as that can be seen. */
export type Visitors = {
  of(request: FastifyRequest, reply: FastifyReply): Visitor
  /**
   * The user whose session the request brings, who must be the one that the path names.
   * @throws Failure `not-signed-in`; `forbidden` alike for other users' names and for names that nobody has
   */
  requireOwner(request: FastifyRequest, name: string): Promise<User>
}

export type VisitorDeps = Pick<Site, 'origin'> & { readonly accounts: Pick<Accounts, 'findUser'> }

/** Reads who calls from cookies, address and connection. */
export function createVisitors({ accounts, origin }: VisitorDeps): Visitors {
  const cookies = createCookies(origin)
  return {
    of: (request, reply) => {
      const { cookie } = request.headers
      const isRelayed = isRelayedUnasked(request)
      if (isRelayed) warnOnce(request)
      return {
        client: clientOf(request),
        isRelayed,
        sessionToken: cookies.readSession(cookie),
        browserTokens: cookies.readBrowser(cookie),
        browserName: toBrowserName(request.headers['user-agent']),
        gone: whenHungUp(reply),
      }
    },
    requireOwner: async (request, name) => {
      const user = await accounts.findUser(cookies.readSession(request.headers.cookie))
      if (!user) throw new Failure('not-signed-in', 'Please log in')
      if (user.key !== name.toLowerCase()) throw new Failure('forbidden', 'You are logged in as another user')
      return user
    },
  }
}

/** When the line is closed before the answer is out. */
function whenHungUp({ raw }: FastifyReply): AbortSignal {
  const closing = new AbortController()
  const close = () => {
    if (!raw.writableFinished) closing.abort()
  }
  if (raw.destroyed) close()
  raw.once('close', close)
  return closing.signal
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
    'Requests come through a proxy (X-Forwarded-For or Forwarded), but PROXIES is 0. All visitors count as one address, and no network is recognized. Set PROXIES to the number of addresses that your proxies put into X-Forwarded-For.',
  )
}

/** Lets no page of another site change anything through the routes of `app`. */
export function refuseOtherSites(app: FastifyInstance, site: SiteAddress): void {
  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { origin, 'sec-fetch-site': said } = request.headers
    const fetchSite = typeof said === 'string' ? said : undefined
    if (!isSameOrigin({ origin, fetchSite, host: request.host }, site))
      throw new Failure('forbidden', 'Requests from other sites are refused')
  })
}
