import { routes } from '@chainboard/contract'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '../accounts/createAccounts.ts'
import type { AccountRouteDeps } from './accountRoutes.ts'
import { createCookies } from './cookies.ts'
import { createVisitors, refuseOtherSites } from './visitors.ts'

type App = Parameters<FastifyPluginCallbackTypebox>[0]

/** What the routes share. */
type Desk = ReturnType<typeof openDesk>

/** How an account is guarded. All but the recovery want the session of the user whom the path names. */
export function accountCareRoutes({ accounts, ...site }: AccountRouteDeps): FastifyPluginCallbackTypebox {
  const desk = openDesk({ accounts, ...site })
  return (app, _, done) => {
    refuseOtherSites(app, site)
    secretRoutes(app, accounts, desk)
    placeRoutes(app, accounts, desk)
    done()
  }
}

function openDesk({ accounts, origin }: AccountRouteDeps) {
  const visitors = createVisitors({ accounts, origin })
  return {
    visitors,
    cookies: createCookies(origin),
    requireOwn: async (request: FastifyRequest, username: string, reply: FastifyReply) => ({
      user: await visitors.requireOwner(request, username),
      visitor: visitors.of(request, reply),
    }),
  }
}

/** The PIN, and the codes for users who forgot it. */
function secretRoutes(app: App, accounts: Accounts, { visitors, cookies, requireOwn }: Desk): void {
  app.route({
    ...routes.changePin,
    handler: async (request, reply) => {
      const own = await requireOwn(request, request.params.username, reply)
      const { pin, newPin } = request.body
      await accounts.changePin({ ...own, proof: { kind: 'pin', pin }, newPin })
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...routes.makeRecoveryCodes,
    handler: async (request, reply) => {
      const own = await requireOwn(request, request.params.username, reply)
      return reply.code(201).send({ codes: await accounts.makeRecoveryCodes({ ...own, pin: request.body.pin }) })
    },
  })

  app.route({
    ...routes.recover,
    config: { budget: 'recoveries' },
    handler: async (request, reply) => {
      const { code, newPin } = request.body
      const recovery = { name: request.params.username, code, newPin, visitor: visitors.of(request, reply) }
      const { sessionToken, browserTokens } = await accounts.recover(recovery)
      reply.header('Set-Cookie', [cookies.writeSession(sessionToken), cookies.writeBrowser(browserTokens)])
      return { success: true as const }
    },
  })
}

/** Where the account is logged in, and what happened to it. */
function placeRoutes(app: App, accounts: Accounts, { requireOwn }: Desk): void {
  app.route({
    ...routes.getSecurity,
    handler: async (request, reply) => {
      const own = await requireOwn(request, request.params.username, reply)
      const { places, recoveryCodes, notices } = await accounts.readSecurity(own)
      return {
        devices: places.map(({ browserName, atSeconds, ...rest }) => ({ ...rest, browser: browserName, at: atSeconds })),
        recoveryCodes,
        notices: notices.map(({ browserName, atSeconds, ...rest }) => ({ ...rest, browser: browserName, at: atSeconds })),
      }
    },
  })

  app.route({
    ...routes.endDevice,
    handler: async (request, reply) => {
      await accounts.endPlace(await requireOwn(request, request.params.username, reply), request.params.id)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...routes.endOtherDevices,
    handler: async (request, reply) => {
      await accounts.endOtherPlaces(await requireOwn(request, request.params.username, reply))
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...routes.dismissNotice,
    handler: async (request, reply) => {
      await accounts.dismissNotice(await requireOwn(request, request.params.username, reply), request.params.id)
      return reply.code(204).send(null)
    },
  })
}
