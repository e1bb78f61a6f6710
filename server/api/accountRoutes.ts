import { routes, type WireUser } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { getAddress } from 'viem'
import type { Accounts, User } from '../accounts/createAccounts.ts'
import type { SignedIn } from '../accounts/openSession.ts'
import { parseUserAddress } from '../accounts/parseUserAddress.ts'
import { createCookies } from './cookies.ts'
import type { Site } from './deps.ts'
import { createVisitors, refuseOtherSites } from './visitors.ts'

type App = Parameters<FastifyPluginCallbackTypebox>[0]

export type AccountRouteDeps = Site & { readonly accounts: Accounts }

/** What the routes of accounts share. */
type Desk = ReturnType<typeof openDesk>

/** Accounts: registering, signing in and out, a user's wallets. What belongs to a user wants that user's session. */
export function accountRoutes({ accounts, ...site }: AccountRouteDeps): FastifyPluginCallbackTypebox {
  const desk = openDesk(accounts, site)
  return (app, _, done) => {
    refuseOtherSites(app, site)
    signInRoutes(app, accounts, desk)
    ownerRoutes(app, accounts, desk)
    logoutRoute(app, accounts, desk)
    done()
  }
}

function openDesk(accounts: Accounts, { origin }: Site) {
  const cookies = createCookies(origin)
  return {
    cookies,
    visitors: createVisitors({ accounts, origin }),
    setCookies: (reply: FastifyReply, { sessionToken, browserTokens }: SignedIn) =>
      reply.header('Set-Cookie', [cookies.writeSession(sessionToken), cookies.writeBrowser(browserTokens)]),
    dropSession: (reply: FastifyReply) => reply.header('Set-Cookie', cookies.writeSession(undefined)),
    toUser: async (user: User): Promise<WireUser> => ({
      username: user.username,
      wallets: (await accounts.listWallets(user)).map((address) => getAddress(address)),
    }),
  }
}

/** The ways into an account. */
function signInRoutes(app: App, accounts: Accounts, { visitors, setCookies, toUser }: Desk): void {
  app.route({
    ...routes.register,
    config: { budget: 'registrations' },
    handler: async (request, reply) => {
      const { username, pin } = request.body
      const signedIn = await accounts.register({ username, pin, visitor: visitors.of(request, reply) })
      setCookies(reply, signedIn)
      return reply.code(201).send(await toUser(signedIn.user))
    },
  })

  app.route({
    ...routes.verifyPin,
    handler: async (request, reply) => {
      const { pin, code } = request.body
      const form = { name: request.params.username, pin, code: parseCode(code), visitor: visitors.of(request, reply) }
      setCookies(reply, await accounts.signIn(form))
      return { success: true as const }
    },
  })
}

/** What the owner of an account reads and changes of it. */
function ownerRoutes(app: App, accounts: Accounts, { visitors, dropSession, toUser }: Desk): void {
  app.route({
    ...routes.getUser,
    handler: async (request) => toUser(await visitors.requireOwner(request, request.params.username)),
  })

  app.route({
    ...routes.deleteUser,
    handler: async (request, reply) => {
      const user = await visitors.requireOwner(request, request.params.username)
      await accounts.delete({ user, pin: request.body.pin, visitor: visitors.of(request, reply) })
      dropSession(reply)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...routes.addWallet,
    handler: async (request, reply) => {
      const user = await visitors.requireOwner(request, request.params.username)
      const address = parseUserAddress('address', request.body.address)
      await accounts.addWallet({ user, pin: request.body.pin, visitor: visitors.of(request, reply) }, address)
      return toUser(user)
    },
  })

  app.route({
    ...routes.removeWallet,
    handler: async (request, reply) => {
      const user = await visitors.requireOwner(request, request.params.username)
      const address = parseUserAddress('address', request.params.address)
      await accounts.removeWallet({ user, pin: request.body.pin, visitor: visitors.of(request, reply) }, address)
      return toUser(user)
    },
  })

  app.route({
    ...routes.makeSignInCode,
    handler: async (request, reply) => {
      const user = await visitors.requireOwner(request, request.params.username)
      const made = await accounts.makeSignInCode({ user, pin: request.body.pin, visitor: visitors.of(request, reply) })
      return reply.code(201).send({ code: made.code, expiresAt: made.expiresAtSeconds })
    },
  })
}

/** The way out, which needs no session. */
function logoutRoute(app: App, accounts: Accounts, { cookies, dropSession }: Desk): void {
  app.route({
    ...routes.logout,
    handler: async (request, reply) => {
      const sessionToken = cookies.readSession(request.headers.cookie)
      if (sessionToken) await accounts.signOut(sessionToken)
      dropSession(reply)
      return reply.code(204).send(null)
    },
  })
}

const codeLengthMax = 40

function parseCode(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && value.length <= codeLengthMax) return value
  throw new Failure('request-invalid', 'code: expected a sign-in code, like 7KQ2M-XW4PR')
}
