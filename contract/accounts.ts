import { type Static, type TProperties, Type } from 'typebox'
import { group, security } from './route.ts'
import { exact, noQuery, problems } from './shapes.ts'

// Accounts and favourites. Bodies let everything through: server/accounts checks it and says in words what is wrong.

const typed = Type.Optional(Type.Unknown())

/** A body with a PIN: `writeOnly` keeps what was found out of the error's text. */
function secretForm<T extends TProperties>(fields: T) {
  return Type.Object(fields, { ...exact, writeOnly: true })
}

const registrationBody = secretForm({ username: typed, pin: typed })
const pinBody = secretForm({ pin: typed })
const signInBody = secretForm({ pin: typed, code: typed })
const walletBody = secretForm({ address: typed, pin: typed })
const favoriteBody = Type.Object({ tokenAddress: typed }, exact)

const segment = Type.String()
const userParams = Type.Object({ username: segment }, exact)
const walletParams = Type.Object({ username: segment, address: segment }, exact)
const favoriteParams = Type.Object({ username: segment, tokenAddress: segment }, exact)

/** Answer of `/api/users/{username}` and of all that changes it. */
export const userAnswer = Type.Object({
  username: Type.String(),
  wallets: Type.Array(Type.String(), { description: 'checksummed, in the order they were added' }),
})

export type WireUser = Static<typeof userAnswer>

const verifiedAnswer = Type.Object({ success: Type.Literal(true) })

const codeAnswer = Type.Object({ code: Type.String(), expiresAt: Type.Integer({ description: 'unix seconds' }) })

export type WireSignInCode = Static<typeof codeAnswer>

const favoritesAnswer = Type.Array(Type.String(), {
  description: 'addresses in lower case, in the order they were added',
})

const ofUser = { params: userParams, querystring: noQuery, security: security.session }
const noBody = { 204: Type.Null(), ...problems }

/** Registration, login and what a user keeps. 401 without the session of the user that the path names. */
export const accountRoutes = group('Accounts', {
  register: {
    method: 'POST',
    url: '/api/users',
    schema: {
      summary: 'Creates an account and signs in',
      description: 'The response sets the session cookie.',
      querystring: noQuery,
      body: registrationBody,
      response: { 201: userAnswer, ...problems },
    },
  },
  getUser: {
    method: 'GET',
    url: '/api/users/:username',
    schema: {
      summary: 'The signed-in user',
      description: 'With the wallets to watch.',
      ...ofUser,
      response: { 200: userAnswer, ...problems },
    },
  },
  deleteUser: {
    method: 'DELETE',
    url: '/api/users/:username',
    schema: {
      summary: 'Deletes the account and all its data',
      description: 'Wallets, favourites and sessions go with it. The response removes the session cookie.',
      ...ofUser,
      body: pinBody,
      response: noBody,
    },
  },
  verifyPin: {
    method: 'POST',
    url: '/api/users/:username/verify-pin',
    schema: {
      summary: 'Signs in',
      description:
        'The response sets the session cookie. With a sign-in code in `code`, a new device can log in while someone is guessing the PIN.',
      params: userParams,
      querystring: noQuery,
      body: signInBody,
      response: { 200: verifiedAnswer, ...problems },
    },
  },
  makeSignInCode: {
    method: 'POST',
    url: '/api/users/:username/sign-in-code',
    schema: {
      summary: 'A code to sign in with on another device',
      description: 'Enter it there with the PIN.',
      ...ofUser,
      body: pinBody,
      response: { 201: codeAnswer, ...problems },
    },
  },
  addWallet: {
    method: 'POST',
    url: '/api/users/:username/wallets',
    schema: {
      summary: 'Adds a wallet to watch',
      description: 'Returns the user with all wallets.',
      ...ofUser,
      body: walletBody,
      response: { 200: userAnswer, ...problems },
    },
  },
  removeWallet: {
    method: 'DELETE',
    url: '/api/users/:username/wallets/:address',
    schema: {
      summary: 'Removes a wallet',
      description: 'Returns the user with the remaining wallets.',
      security: security.session,
      params: walletParams,
      querystring: noQuery,
      body: pinBody,
      response: { 200: userAnswer, ...problems },
    },
  },
  logout: {
    method: 'POST',
    url: '/api/session/logout',
    schema: {
      summary: 'Ends the session',
      description: 'The response removes its cookie. Without a session nothing happens.',
      querystring: noQuery,
      response: noBody,
    },
  },
  listFavorites: {
    method: 'GET',
    url: '/api/favorites/:username',
    schema: {
      summary: "The user's favourite tokens",
      description: 'In the order they were added.',
      ...ofUser,
      response: { 200: favoritesAnswer, ...problems },
    },
  },
  addFavorite: {
    method: 'POST',
    url: '/api/favorites/:username',
    schema: {
      summary: 'Adds a favourite',
      description: 'Only listed tokens. Returns all favourites.',
      ...ofUser,
      body: favoriteBody,
      response: { 200: favoritesAnswer, ...problems },
    },
  },
  removeFavorite: {
    method: 'DELETE',
    url: '/api/favorites/:username/:tokenAddress',
    schema: {
      summary: 'Removes a favourite',
      description: 'Also a token that is no longer listed. Returns the remaining favourites.',
      security: security.session,
      params: favoriteParams,
      querystring: noQuery,
      response: { 200: favoritesAnswer, ...problems },
    },
  },
})
