import { Type } from 'typebox'
import type { OperationId } from './routes.ts'
import { addressPattern, exact } from './shapes.ts'

// What OpenAPI shows instead of a route's own schema. Routes with forms let everything through to server/keys and server/accounts,
// which say in words what is wrong with it; the subgraph reads its queries itself.

const optional = Type.Optional

const proof = {
  walletAddress: Type.String({ pattern: addressPattern, description: 'the wallet that signed' }),
  signature: Type.String({
    pattern: '^0x([0-9a-fA-F]{2})+$',
    maxLength: 8_194,
    description: 'the signature that the wallet returned',
  }),
  message: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: 'the signed text: one line each for the title, Domain, Wallet (with checksum) and Timestamp (ISO 8601, UTC)',
  }),
}
const requestsPerDay = Type.Integer({ minimum: 1, maximum: 10_000_000 })
const expiresAt = Type.Union([Type.String(), Type.Null()], {
  description: 'a date (2027-01-31 means 00:00 UTC) or a time (2027-01-31T12:00:00Z); null or empty: none',
})
const note = Type.String({ maxLength: 500, description: 'only operators see it' })

const pin = Type.String({ pattern: '^[0-9]{4}$' })
const confirmation = Type.Object({ pin }, exact)
const login = Type.Object(proof, exact)
/** A proof, or a session with its cookie. */
const operatorCall = {
  ...Object.fromEntries(Object.entries(proof).map(([name, schema]) => [name, Type.Optional(schema)])),
  session: Type.Optional(
    Type.String({ description: 'the id of a session whose cookie is sent too, in place of the other three' }),
  ),
}
const operatorLogin = Type.Object(operatorCall, exact)

const base64url = Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 16_000 })
/** A browser's `PublicKeyCredential.toJSON()`, of which these fields count. */
const assertion = Type.Object({
  id: base64url,
  response: Type.Object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
})
const registration = Type.Object({
  id: base64url,
  response: Type.Object({ clientDataJSON: base64url, attestationObject: base64url }),
})
const siwe = {
  message: Type.String({ maxLength: 2_000, description: 'exactly as the server issued it' }),
  signature: proof.signature,
}
const ownerProof = Type.Union(
  [Type.Object({ pin }), Type.Object({ passkey: assertion }), Type.Object({ wallet: Type.Object(siwe) })],
  { description: 'the PIN, or a confirmation signed by a linked passkey or wallet' },
)
const methodName = optional(Type.String({ maxLength: 40, description: 'its name in the list, one line' }))

type Described = { readonly body?: object; readonly response?: object }

const errors = {
  type: 'array',
  items: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
}
const graphErrors = { type: 'object', required: ['errors'], properties: { errors } }

const bodies: Readonly<Partial<Record<OperationId, object>>> = {
  generateFreeKey: login,
  verifyAdmin: operatorLogin,
  logoutAdmin: operatorLogin,
  listKeys: operatorLogin,
  getKeyStats: operatorLogin,
  deleteKey: operatorLogin,
  keepKey: operatorLogin,
  openSession: login,
  listSessions: operatorLogin,
  endSession: operatorLogin,
  getSiteState: operatorLogin,
  reloadList: operatorLogin,
  getFeatured: operatorLogin,
  editFeatured: Type.Object(
    {
      ...operatorCall,
      tokens: Type.Union([Type.Array(Type.String({ pattern: addressPattern }), { maxItems: 24 }), Type.Null()]),
    },
    exact,
  ),
  listActs: Type.Object(
    {
      ...operatorCall,
      before: optional(Type.String({ pattern: '^[0-9a-z]{1,40}$', description: 'the id of the last act of the previous page' })),
    },
    exact,
  ),
  createKey: Type.Object(
    {
      ...operatorCall,
      email: Type.String({ format: 'email', maxLength: 254 }),
      tier: optional(Type.String({ enum: ['basic', 'custom', 'forever'], default: 'basic' })),
      expiresAt: optional(expiresAt),
      requestsPerDay: optional(Type.Integer({ minimum: 1, maximum: 10_000_000, default: 10_000 })),
      note: optional(note),
      txHash: optional(
        Type.String({ pattern: '^(0x[0-9a-fA-F]{64})?$', description: 'the payment, which the server looks up on the chain' }),
      ),
    },
    exact,
  ),
  updateKey: Type.Object(
    {
      ...operatorCall,
      status: optional(Type.String({ enum: ['active', 'paused'] })),
      requestsPerDay: optional(requestsPerDay),
      expiresAt: optional(expiresAt),
      note: optional(note),
    },
    { ...exact, minProperties: 2, description: 'a proof or a session, and at least one change' },
  ),
  register: Type.Object({ username: Type.String({ pattern: '^[A-Za-z0-9_.-]{1,32}$' }), pin }, exact),
  verifyPin: Type.Object(
    { pin, code: optional(Type.String({ maxLength: 40, description: 'a sign-in code, like 7KQ2M-XW4PR' })) },
    exact,
  ),
  deleteUser: confirmation,
  removeWallet: confirmation,
  makeSignInCode: confirmation,
  makeRecoveryCodes: confirmation,
  changePin: Type.Object({ pin, newPin: pin }, exact),
  recover: Type.Object(
    { code: Type.String({ maxLength: 40, description: 'a recovery code, like 7KQ2-XW4P-R9HM' }), newPin: pin },
    exact,
  ),
  addWallet: Type.Object({ address: Type.String({ pattern: addressPattern }), pin }, exact),
  addFavorite: Type.Object({ tokenAddress: Type.String({ pattern: addressPattern }) }, exact),
  signInByPasskey: Type.Object({ response: assertion }, exact),
  askWallet: Type.Object({ walletAddress: proof.walletAddress }, exact),
  signInByWallet: Type.Object(siwe, exact),
  askPasskeyToLink: Type.Object({ proof: ownerProof }, exact),
  linkPasskey: Type.Object({ response: registration, name: methodName }, exact),
  removePasskey: Type.Object({ proof: ownerProof }, exact),
  askWalletToLink: Type.Object({ walletAddress: proof.walletAddress, proof: ownerProof }, exact),
  linkWallet: Type.Object({ ...siwe, name: methodName }, exact),
  unlinkWallet: Type.Object({ proof: ownerProof }, exact),
  resetPin: Type.Object({ pin, proof: ownerProof }, exact),
}

const querySubgraph: Described = {
  body: {
    type: 'object',
    required: ['query'],
    properties: { query: { type: 'string' }, variables: { type: 'object' }, operationName: { type: 'string' } },
  },
  response: {
    '2xx': { type: 'object', properties: { data: { type: ['object', 'null'] }, errors } },
    '4xx': graphErrors,
    '5xx': graphErrors,
  },
}

/** By operation. */
export const described: Readonly<Partial<Record<OperationId, Described>>> = {
  querySubgraph,
  ...Object.fromEntries(Object.entries(bodies).map(([id, body]) => [id, { body }])),
}
