import { routes, type WireSignInMethods } from '@chainboard/contract'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { getAddress } from 'viem'
import type { Accounts, User } from '../accounts/createAccounts.ts'
import type { Caller } from '../accounts/methods/caller.ts'
import type { Given, SignInMethods } from '../accounts/methods/createSignInMethods.ts'
import type { SignedIn } from '../accounts/openSession.ts'
import { parseUserAddress } from '../accounts/parseUserAddress.ts'
import { createCookies } from './cookies.ts'
import type { Site } from './deps.ts'
import { toParty } from './toParty.ts'
import { createVisitors, refuseOtherSites } from './visitors.ts'

type App = Parameters<FastifyPluginCallbackTypebox>[0]

export type SignInMethodRouteDeps = Site & {
  readonly accounts: Pick<Accounts, 'findUser' | 'listWallets'>
  readonly signInMethods: SignInMethods
}

/** What these routes share. */
type Desk = ReturnType<typeof openDesk>

/** Passkeys and wallets beside the PIN. Each route that names a user wants that user's session. */
export function signInMethodRoutes({ accounts, signInMethods, ...site }: SignInMethodRouteDeps): FastifyPluginCallbackTypebox {
  const desk = openDesk({ accounts, signInMethods }, site)
  return (app, _, done) => {
    refuseOtherSites(app, site)
    signInRoutes(app, desk)
    confirmRoutes(app, desk)
    linkRoutes(app, desk)
    removalRoutes(app, desk)
    done()
  }
}

function openDesk({ accounts, signInMethods: methods }: Pick<SignInMethodRouteDeps, 'accounts' | 'signInMethods'>, site: Site) {
  const cookies = createCookies(site.origin)
  const visitors = createVisitors({ accounts, origin: site.origin })
  const callerOf = (request: FastifyRequest, reply: FastifyReply): Caller => ({
    visitor: visitors.of(request, reply),
    party: toParty(site, request.host),
    challengeToken: cookies.readChallenge(request.headers.cookie),
  })
  return {
    methods,
    callerOf,
    /** Who is signed in, and is the one that the path names. */
    ownerOf: async (request: FastifyRequest & { readonly params: { readonly username: string } }, reply: FastifyReply) => ({
      user: await visitors.requireOwner(request, request.params.username),
      caller: callerOf(request, reply),
    }),
    /** What is to be signed, for the browser that its cookie marks. */
    give: <T>(reply: FastifyReply, { asked, challengeToken }: Given<T>): T => {
      reply.header('Set-Cookie', cookies.writeChallenge(challengeToken))
      return asked
    },
    enter: async (reply: FastifyReply, { user, sessionToken, browserTokens }: SignedIn) => {
      reply.header('Set-Cookie', [cookies.writeSession(sessionToken), cookies.writeBrowser(browserTokens)])
      const wallets = await accounts.listWallets(user)
      return { username: user.username, wallets: wallets.map((address) => getAddress(address)) }
    },
    list: async (user: User): Promise<WireSignInMethods> => {
      const { passkeys, wallets } = await methods.list(user)
      return {
        passkeys: passkeys.map(({ id, ...passkey }) => ({ id, ...toListed(passkey) })),
        wallets: wallets.map(({ address, ...wallet }) => ({ address: getAddress(address), ...toListed(wallet) })),
      }
    },
  }
}

type Listed = { readonly name: string; readonly createdAtSeconds: number; readonly lastUsedAtSeconds: number | undefined }

function toListed({ name, createdAtSeconds, lastUsedAtSeconds }: Listed) {
  return { name, linkedAt: createdAtSeconds, lastUsedAt: lastUsedAtSeconds ?? null }
}

/** The ways into an account. */
function signInRoutes(app: App, { methods, callerOf, give, enter }: Desk): void {
  app.route({
    ...routes.askPasskey,
    config: { budget: 'challenges' },
    handler: async (request, reply) => ({ options: give(reply, await methods.askPasskey(callerOf(request, reply))) }),
  })

  app.route({
    ...routes.signInByPasskey,
    config: { budget: 'passkeyAnswers' },
    handler: async (request, reply) =>
      enter(reply, await methods.signInByPasskey(callerOf(request, reply), request.body.response)),
  })

  app.route({
    ...routes.askWallet,
    config: { budget: 'challenges' },
    handler: async (request, reply) => ({
      message: give(reply, await methods.askWallet(callerOf(request, reply), request.body.walletAddress)),
    }),
  })

  app.route({
    ...routes.signInByWallet,
    config: { budget: 'walletAnswers' },
    handler: async (request, reply) => {
      const { message, signature } = request.body
      return enter(reply, await methods.signInByWallet(callerOf(request, reply), { message, signature }))
    },
  })
}

/** What is linked, and what a linked passkey or wallet signs to confirm a change. */
function confirmRoutes(app: App, { methods, ownerOf, give, list }: Desk): void {
  app.route({
    ...routes.listSignInMethods,
    handler: async (request, reply) => list((await ownerOf(request, reply)).user),
  })

  app.route({
    ...routes.askPasskeyToConfirm,
    config: { budget: 'challenges' },
    handler: async (request, reply) => {
      const given = await methods.askPasskeyToConfirm(await ownerOf(request, reply), request.body.purpose)
      return { options: give(reply, given) }
    },
  })

  app.route({
    ...routes.askWalletToConfirm,
    config: { budget: 'challenges' },
    handler: async (request, reply) => {
      const { purpose, walletAddress } = request.body
      return { message: give(reply, await methods.askWalletToConfirm(await ownerOf(request, reply), purpose, walletAddress)) }
    },
  })
}

/** Linking: the owner proves to be that, and is given what the new passkey or wallet signs. */
function linkRoutes(app: App, { methods, ownerOf, give, list }: Desk): void {
  app.route({
    ...routes.askPasskeyToLink,
    config: { budget: 'walletAnswers' },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, reply)
      return { options: give(reply, await methods.askPasskeyToLink({ ...owner, proof: request.body.proof })) }
    },
  })

  app.route({
    ...routes.linkPasskey,
    config: { budget: 'passkeyAnswers' },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, reply)
      const { response, name } = request.body
      await methods.linkPasskey({ ...owner, response, name })
      return reply.code(201).send(await list(owner.user))
    },
  })

  app.route({
    ...routes.askWalletToLink,
    config: { budget: 'walletAnswers' },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, reply)
      const { walletAddress, proof } = request.body
      return { message: give(reply, await methods.askWalletToLink({ ...owner, proof }, walletAddress)) }
    },
  })

  app.route({
    ...routes.linkWallet,
    config: { budget: 'walletAnswers' },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, reply)
      const { message, signature, name } = request.body
      await methods.linkWallet({ ...owner, answer: { message, signature }, name })
      return reply.code(201).send(await list(owner.user))
    },
  })
}

/** Removing, and a new PIN for who has forgotten the old one. */
function removalRoutes(app: App, { methods, ownerOf, enter, list }: Desk): void {
  app.route({
    ...routes.removePasskey,
    config: { budget: 'walletAnswers' },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, reply)
      await methods.remove({ ...owner, proof: request.body.proof }, { passkey: request.params.id })
      return list(owner.user)
    },
  })

  app.route({
    ...routes.unlinkWallet,
    config: { budget: 'walletAnswers' },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, reply)
      const wallet = parseUserAddress('address', request.params.address)
      await methods.remove({ ...owner, proof: request.body.proof }, { wallet })
      return list(owner.user)
    },
  })

  app.route({
    ...routes.resetPin,
    config: { budget: 'walletAnswers' },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, reply)
      return enter(reply, await methods.resetPin({ ...owner, proof: request.body.proof }, request.body.pin))
    },
  })
}
