import { type Static, type TProperties, Type } from 'typebox'
import { userAnswer } from './accounts.ts'
import { group, security } from './route.ts'
import { exact, literals, noQuery, orNull, problems } from './shapes.ts'

// Passkeys and wallets that sign a user in beside the PIN. Bodies let everything through: server/accounts checks it and says in words
// what is wrong.

const typed = Type.Optional(Type.Unknown())

/** `writeOnly` keeps what was found out of the error's text. */
function secretForm<T extends TProperties>(fields: T) {
  return Type.Object(fields, { ...exact, writeOnly: true })
}

const segment = Type.String()
const userParams = Type.Object({ username: segment }, exact)
const passkeyParams = Type.Object({ username: segment, id: segment }, exact)
const walletParams = Type.Object({ username: segment, address: segment }, exact)

const noFields = Type.Optional(Type.Object({}, exact))
const confirmation = literals(['confirm-link', 'confirm-removal', 'confirm-pin'])

const linkedPasskey = Type.Object({
  id: Type.String({ description: 'of the record' }),
  name: Type.String(),
  linkedAt: Type.Integer({ description: 'unix seconds' }),
  lastUsedAt: orNull(Type.Integer(), { description: 'unix seconds; null for one that was never used' }),
})

const linkedWallet = Type.Object({
  address: Type.String({ description: 'checksummed' }),
  name: Type.String(),
  linkedAt: Type.Integer({ description: 'unix seconds' }),
  lastUsedAt: orNull(Type.Integer(), { description: 'unix seconds; null for one that was never used' }),
})

const methodsAnswer = Type.Object({
  passkeys: Type.Array(linkedPasskey, { description: 'in the order in which they were linked' }),
  wallets: Type.Array(linkedWallet, { description: 'in the order in which they were linked' }),
})

export type WireSignInMethods = Static<typeof methodsAnswer>

const base64url = Type.String()
const asked = Type.Array(Type.Object({ type: Type.Literal('public-key'), id: base64url, transports: Type.Array(Type.String()) }))

/** What `navigator.credentials.get` takes as JSON (WebAuthn level 3). */
const requestOptions = Type.Object({
  options: Type.Object(
    {
      challenge: base64url,
      rpId: Type.String(),
      timeout: Type.Integer({ description: 'milliseconds' }),
      userVerification: Type.Literal('required'),
      allowCredentials: asked,
    },
    { description: 'for `PublicKeyCredential.parseRequestOptionsFromJSON`' },
  ),
})

export type WirePasskeyRequest = Static<typeof requestOptions>

/** What `navigator.credentials.create` takes as JSON. */
const creationOptions = Type.Object({
  options: Type.Object(
    {
      challenge: base64url,
      rp: Type.Object({ id: Type.String(), name: Type.String() }),
      user: Type.Object({ id: base64url, name: Type.String(), displayName: Type.String() }),
      pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
      timeout: Type.Integer({ description: 'milliseconds' }),
      attestation: Type.Literal('none'),
      excludeCredentials: asked,
      authenticatorSelection: Type.Object({
        residentKey: Type.Literal('required'),
        requireResidentKey: Type.Literal(true),
        userVerification: Type.Literal('required'),
      }),
    },
    { description: 'for `PublicKeyCredential.parseCreationOptionsFromJSON`' },
  ),
})

export type WirePasskeyCreation = Static<typeof creationOptions>

const messageAnswer = Type.Object({ message: Type.String({ description: 'sign it unchanged, with `personal_sign`' }) })

export type WireSiweMessage = Static<typeof messageAnswer>

const ofUser = { params: userParams, querystring: noQuery, security: security.session }

/**
 * The other ways in. What is to be signed is good once, for five minutes, in the browser that asked for it: the answer sets a cookie by
 * which that browser is known.
 */
export const signInMethodRoutes = group('Accounts', {
  askPasskey: {
    method: 'POST',
    url: '/api/sign-in/passkey/challenge',
    schema: {
      summary: 'What a passkey signs to sign in',
      description: 'The passkey identifies the user, so no username is needed.',
      querystring: noQuery,
      body: noFields,
      response: { 200: requestOptions, ...problems },
    },
  },
  signInByPasskey: {
    method: 'POST',
    url: '/api/sign-in/passkey',
    schema: {
      summary: 'Signs in with a passkey',
      description: 'The response sets the session cookie.',
      querystring: noQuery,
      body: secretForm({ response: typed }),
      response: { 200: userAnswer, ...problems },
    },
  },
  askWallet: {
    method: 'POST',
    url: '/api/sign-in/wallet/challenge',
    schema: {
      summary: 'What a wallet signs to sign in',
      description: 'A message of Sign-In with Ethereum (EIP-4361).',
      querystring: noQuery,
      body: secretForm({ walletAddress: typed }),
      response: { 200: messageAnswer, ...problems },
    },
  },
  signInByWallet: {
    method: 'POST',
    url: '/api/sign-in/wallet',
    schema: {
      summary: 'Signs in with a linked wallet',
      description:
        'Contract wallets work too, even before they are deployed (ERC-1271, ERC-6492). The response sets the session cookie.',
      querystring: noQuery,
      body: secretForm({ message: typed, signature: typed }),
      response: { 200: userAnswer, ...problems },
    },
  },
  listSignInMethods: {
    method: 'GET',
    url: '/api/users/:username/sign-in-methods',
    schema: {
      summary: 'The linked passkeys and wallets',
      description: 'With their names and when each was last used.',
      ...ofUser,
      response: { 200: methodsAnswer, ...problems },
    },
  },
  askPasskeyToConfirm: {
    method: 'POST',
    url: '/api/users/:username/confirm/passkey',
    schema: {
      summary: 'What a linked passkey signs to confirm a change',
      description: 'Send the result as the `proof` of that change.',
      ...ofUser,
      body: Type.Object({ purpose: confirmation }, exact),
      response: { 200: requestOptions, ...problems },
    },
  },
  askWalletToConfirm: {
    method: 'POST',
    url: '/api/users/:username/confirm/wallet',
    schema: {
      summary: 'What a linked wallet signs to confirm a change',
      description: 'Send the result as the `proof` of that change.',
      ...ofUser,
      body: Type.Object({ purpose: confirmation, walletAddress: typed }, exact),
      response: { 200: messageAnswer, ...problems },
    },
  },
  askPasskeyToLink: {
    method: 'POST',
    url: '/api/users/:username/passkeys/challenge',
    schema: {
      summary: 'The challenge for a new passkey',
      description: 'Needs a proof: the PIN, or a linked passkey or wallet.',
      ...ofUser,
      body: secretForm({ proof: typed }),
      response: { 200: creationOptions, ...problems },
    },
  },
  linkPasskey: {
    method: 'POST',
    url: '/api/users/:username/passkeys',
    schema: {
      summary: 'Links a passkey',
      description: 'Returns all linked passkeys and wallets.',
      ...ofUser,
      body: secretForm({ response: typed, name: typed }),
      response: { 201: methodsAnswer, ...problems },
    },
  },
  removePasskey: {
    method: 'DELETE',
    url: '/api/users/:username/passkeys/:id',
    schema: {
      summary: 'Removes a passkey',
      description: 'Needs a proof. Returns the remaining passkeys and wallets.',
      ...ofUser,
      params: passkeyParams,
      body: secretForm({ proof: typed }),
      response: { 200: methodsAnswer, ...problems },
    },
  },
  askWalletToLink: {
    method: 'POST',
    url: '/api/users/:username/sign-in-wallets/challenge',
    schema: {
      summary: 'What a wallet signs to be linked',
      description: 'Needs a proof: the PIN, or a linked passkey or wallet.',
      ...ofUser,
      body: secretForm({ walletAddress: typed, proof: typed }),
      response: { 200: messageAnswer, ...problems },
    },
  },
  linkWallet: {
    method: 'POST',
    url: '/api/users/:username/sign-in-wallets',
    schema: {
      summary: 'Links a wallet to sign in with',
      description: 'Returns all linked passkeys and wallets. Watched wallets are separate.',
      ...ofUser,
      body: secretForm({ message: typed, signature: typed, name: typed }),
      response: { 201: methodsAnswer, ...problems },
    },
  },
  unlinkWallet: {
    method: 'DELETE',
    url: '/api/users/:username/sign-in-wallets/:address',
    schema: {
      summary: 'Removes a wallet to sign in with',
      description: 'Needs a proof. Returns the remaining passkeys and wallets.',
      ...ofUser,
      params: walletParams,
      body: secretForm({ proof: typed }),
      response: { 200: methodsAnswer, ...problems },
    },
  },
  resetPin: {
    method: 'POST',
    url: '/api/users/:username/reset-pin',
    schema: {
      summary: 'Sets a new PIN without the old one',
      description: 'Needs a linked passkey or wallet. All other sessions end. The response sets the cookie of a new one.',
      ...ofUser,
      body: secretForm({ pin: typed, proof: typed }),
      response: { 200: userAnswer, ...problems },
    },
  },
})
