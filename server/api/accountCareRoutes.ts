import { routes } from '@chainboard/contract'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountRouteDeps } from './accountRoutes.ts'
import { createCookies } from './cookies.ts'
import { createVisitors, refuseOtherSites } from './visitors.ts'

/** How an account is guarded. All but the recovery want the session of the user whom the path names. */
export function accountCareRoutes({ accounts, ...site }: AccountRouteDeps): FastifyPluginCallbackTypebox {
  const visitors = createVisitors({ accounts, origin: site.origin })
  const cookies = createCookies(site.origin)
  const requireOwn = async (request: FastifyRequest, username: string, reply: FastifyReply) => ({
    user: await visitors.requireOwner(request, username),
    visitor: visitors.of(request, reply),
  })
  return (app, _, done) => {
    refuseOtherSites(app, site)

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
    done()
  }
}
