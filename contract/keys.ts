import { operatorAlerts, operatorRoles } from '@chainboard/core'
import { type Static, type TProperties, Type } from 'typebox'
import { group } from './route.ts'
import { exact, literals, noQuery, nullableText, orNull, problems } from './shapes.ts'

// API keys and the operators' panel. Bodies let everything through: server/keys checks it and says in words what is wrong. Moments are
// ISO 8601 in UTC.

const typed = Type.Optional(Type.Unknown())
const proof = { walletAddress: typed, signature: typed, message: typed }
/** What an operator's call brings: a proof, or the id of the session whose cookie comes along. */
export const operatorFields = { ...proof, session: typed }

/** A body with a signature: `writeOnly` keeps what was found out of the error's text. */
function signedForm<T extends TProperties>(fields: T) {
  return Type.Object({ ...proof, ...fields }, { ...exact, writeOnly: true })
}

/** A body of the panel. */
export function operatorForm<T extends TProperties>(fields: T) {
  return Type.Object({ ...operatorFields, ...fields }, { ...exact, writeOnly: true })
}

/** A signed message of a wallet, and nothing else. */
export const proofBody = signedForm({})
const operatorBody = operatorForm({})
const newKeyBody = operatorForm({
  email: typed,
  tier: typed,
  expiresAt: typed,
  requestsPerDay: typed,
  note: typed,
  txHash: typed,
})
const keyEditBody = operatorForm({ status: typed, requestsPerDay: typed, expiresAt: typed, note: typed })
/** `before`: the id of the last act that was seen. */
const actsBody = operatorForm({ before: typed })

/** The id of a key's record, or the key itself. */
const keyParams = Type.Object({ id: Type.String() }, exact)

/** What the specification wants in the body of a call that worked. */
export const success = Type.Literal(true)
const keyStatus = literals(['active', 'paused', 'expired'])
const keyTier = literals(['free', 'basic', 'custom', 'forever'])

/** `expired` follows from `expiresAt` and the clock, whatever else the key is. */
export type WireKeyStatus = Static<typeof keyStatus>
export type WireKeyTier = Static<typeof keyTier>

const payment = Type.Object(
  {
    status: literals(['found', 'failed', 'missing', 'unknown']),
    transfers: Type.Array(Type.Object({ amount: Type.String(), payer: Type.String(), recipient: Type.String() }), {
      description: 'every movement of USDC in it; amount in whole USDC, as decimal text',
    }),
  },
  {
    description:
      'the paying transaction on the chain. missing: no such transaction yet; failed: it was reverted; unknown: the node did not respond',
  },
)

export type WireKeyPayment = Static<typeof payment>

const listedKey = Type.Object({
  id: Type.String({ description: 'masked, like cb_••••h3Kd; only the response that creates a key has the key itself' }),
  fullId: Type.String({ description: 'the record’s id, for actions' }),
  email: Type.String({ description: 'empty for a free key' }),
  status: keyStatus,
  tier: keyTier,
  requestsPerDay: Type.Integer(),
  usageToday: Type.Integer({ description: 'since midnight UTC' }),
  createdAt: Type.String(),
  expiresAt: nullableText,
  lastUsed: nullableText,
  note: Type.String(),
  wallet: orNull(Type.String(), { description: 'owner of a free key, checksummed' }),
  txHash: nullableText,
  payment: orNull(payment),
  deletion: orNull(
    Type.Object({ wallet: Type.String({ description: 'of the owner who asked, checksummed' }), askedAt: Type.String() }),
    { description: 'requested by one owner and waiting for a second; null: none' },
  ),
})

export type WireApiKey = Static<typeof listedKey>

const freeKeyAnswer = Type.Object({ key: Type.String() })
/** The body of a call that has nothing else to say. */
export const doneAnswer = Type.Object({ success })
const askedAnswer = Type.Object({ success, waiting: Type.String({ description: 'what remains to be done, as a sentence' }) })
const keyAnswer = Type.Object({ success, key: listedKey })
const keysAnswer = Type.Object({ success, keys: Type.Array(listedKey) })

const keyStats = Type.Object({
  totalKeys: Type.Integer(),
  activeKeys: Type.Integer(),
  monthlyRevenue: Type.Number({ description: 'US dollars: the active keys of tier basic. Prices of custom keys are not known' }),
  totalRequestsToday: Type.Integer(),
  sharedApiUsage: Type.Integer(),
  sharedApiIPs: Type.Integer(),
})

export type WireKeyStats = Static<typeof keyStats>

const keyStatsAnswer = Type.Object({ success, stats: keyStats })

const facts = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]))

/** `from`, `to`: what was changed. */
const adminAct = Type.Object({
  id: Type.String(),
  at: Type.String(),
  wallet: Type.String({ description: 'of the operator, checksummed' }),
  act: literals([
    'login',
    'logout',
    'end-session',
    'create',
    'update',
    'delete',
    'ask-deletion',
    'withdraw-deletion',
    'reload-list',
    'edit-featured',
  ]),
  keyId: orNull(Type.String(), { description: 'record id of the key; null for an act without one' }),
  from: facts,
  to: facts,
  role: orNull(literals(operatorRoles), { description: 'that the operator acted in; null before roles were recorded' }),
  via: orNull(literals(['session', 'message']), { description: 'what authorized it; null before that was recorded' }),
  alerts: Type.Array(literals(operatorAlerts), { description: 'what is unusual about it' }),
  entry: orNull(Type.Integer(), { description: 'its place in the audit log, from 1; null for an act from before the log' }),
})

export type WireAdminAct = Static<typeof adminAct>

/** `next`: what to send as `before` for the next page; null when there is none. */
const actsAnswer = Type.Object({ success, acts: Type.Array(adminAct), next: nullableText })

/** Free API keys: one for each wallet that signs for it. The text of a key is in this answer alone. */
export const keyRoutes = group('Keys', {
  generateFreeKey: {
    method: 'POST',
    url: '/api/keys/generate-free',
    schema: {
      summary: "A free API key for a wallet's signature",
      description:
        'One for each wallet: signing again creates a new key, and the old one stops working. Only this response shows it.',
      querystring: noQuery,
      body: proofBody,
      response: { 201: freeKeyAnswer, ...problems },
    },
  },
})

/**
 * The operators' panel. Every call carries a message that an operator's wallet signed, or names a session and brings its cookie, and is
 * refused without.
 */
export const adminRoutes = group('Admin', {
  verifyAdmin: {
    method: 'POST',
    url: '/api/admin/verify',
    schema: {
      summary: 'Checks whether a signed message may open the panel',
      description: 'The wallet is one of the operators, and the message is recent.',
      querystring: noQuery,
      body: operatorBody,
      response: { 200: doneAnswer, ...problems },
    },
  },
  logoutAdmin: {
    method: 'POST',
    url: '/api/admin/logout',
    schema: {
      summary: 'Ends the session, or the login of a signed message',
      description: 'Neither works afterwards.',
      querystring: noQuery,
      body: operatorBody,
      response: { 200: doneAnswer, ...problems },
    },
  },
  listKeys: {
    method: 'POST',
    url: '/api/admin/keys/list',
    schema: {
      summary: 'All keys',
      description: 'Keys are masked and have their requests of the current UTC day.',
      querystring: noQuery,
      body: operatorBody,
      response: { 200: keysAnswer, ...problems },
    },
  },
  getKeyStats: {
    method: 'POST',
    url: '/api/admin/stats',
    schema: {
      summary: 'Statistics of all keys',
      description: 'Includes requests without a key.',
      querystring: noQuery,
      body: operatorBody,
      response: { 200: keyStatsAnswer, ...problems },
    },
  },
  listActs: {
    method: 'POST',
    url: '/api/admin/acts',
    schema: {
      summary: "The panel's audit log",
      description: 'In pages, the newest first. `next` is the `before` of the next page.',
      querystring: noQuery,
      body: actsBody,
      response: { 200: actsAnswer, ...problems },
    },
  },
  createKey: {
    method: 'POST',
    url: '/api/admin/keys',
    schema: {
      summary: 'Creates a key; the response is the only time it is shown',
      description: 'Only its last characters are stored.',
      querystring: noQuery,
      body: newKeyBody,
      response: { 201: keyAnswer, ...problems },
    },
  },
  updateKey: {
    method: 'POST',
    url: '/api/admin/keys/:id/update',
    schema: {
      summary: 'Changes, pauses or resumes a key',
      description: 'Fields that are not sent keep their value.',
      params: keyParams,
      querystring: noQuery,
      body: keyEditBody,
      response: { 200: keyAnswer, ...problems },
    },
  },
  deleteKey: {
    method: 'POST',
    url: '/api/admin/keys/:id/delete',
    schema: {
      summary: 'Deletes a key',
      description:
        'The key stops working. Where two owners have to agree, the first call returns 202, and the second deletes the key.',
      params: keyParams,
      querystring: noQuery,
      body: operatorBody,
      response: { 200: doneAnswer, 202: askedAnswer, ...problems },
    },
  },
  keepKey: {
    method: 'POST',
    url: '/api/admin/keys/:id/keep',
    schema: {
      summary: 'Withdraws a deletion',
      description: 'Keeps a key whose deletion waits for a second owner.',
      params: keyParams,
      querystring: noQuery,
      body: operatorBody,
      response: { 200: keyAnswer, ...problems },
    },
  },
})
