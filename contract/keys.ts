import { type Static, type TProperties, Type } from 'typebox'
import { exact, literals, nullableText, orNull } from './shapes.ts'

// API keys and the operators' panel. Bodies let everything through: server/keys checks it and says in words what is wrong. Moments are
// ISO 8601 in UTC.

const typed = Type.Optional(Type.Unknown())
const proof = { walletAddress: typed, signature: typed, message: typed }

/** A body with a signature: `writeOnly` keeps what was found out of the error's text. */
function signedForm<T extends TProperties>(fields: T) {
  return Type.Object({ ...proof, ...fields }, { ...exact, writeOnly: true })
}

export const proofBody = signedForm({})
export const newKeyBody = signedForm({
  email: typed,
  tier: typed,
  expiresAt: typed,
  requestsPerDay: typed,
  note: typed,
  txHash: typed,
})
export const keyEditBody = signedForm({ status: typed, requestsPerDay: typed, expiresAt: typed, note: typed })
/** `before`: the id of the last act that was seen. */
export const actsBody = signedForm({ before: typed })

/** The id of a key's record, or the key itself. */
export const keyParams = Type.Object({ id: Type.String() }, exact)

const success = Type.Literal(true)
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
      'what the chain says of the paying transaction. missing: it has no such transaction, or not yet; failed: it was reverted; unknown: the chain did not answer',
  },
)

export type WireKeyPayment = Static<typeof payment>

const listedKey = Type.Object({
  id: Type.String({ description: 'masked, like cb_••••h3Kd; where a key was just made, the key itself, this once' }),
  fullId: Type.String({ description: 'of the record: what actions take' }),
  email: Type.String({ description: 'empty for a free key' }),
  status: keyStatus,
  tier: keyTier,
  requestsPerDay: Type.Integer(),
  usageToday: Type.Integer({ description: 'since midnight UTC' }),
  createdAt: Type.String(),
  expiresAt: nullableText,
  lastUsed: nullableText,
  note: Type.String(),
  wallet: orNull(Type.String(), { description: 'whose free key it is, checksummed' }),
  txHash: nullableText,
  payment: orNull(payment),
})

export type WireApiKey = Static<typeof listedKey>

export const freeKeyAnswer = Type.Object({ key: Type.String() })
export const doneAnswer = Type.Object({ success })
export const keyAnswer = Type.Object({ success, key: listedKey })
export const keysAnswer = Type.Object({ success, keys: Type.Array(listedKey) })

const keyStats = Type.Object({
  totalKeys: Type.Integer(),
  activeKeys: Type.Integer(),
  monthlyRevenue: Type.Number({ description: 'US dollars: the active keys of tier basic. Prices of custom keys are not known' }),
  totalRequestsToday: Type.Integer(),
  sharedApiUsage: Type.Integer(),
  sharedApiIPs: Type.Integer(),
})

export type WireKeyStats = Static<typeof keyStats>

export const keyStatsAnswer = Type.Object({ success, stats: keyStats })

const facts = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]))

/** `from`, `to`: what was changed. */
const adminAct = Type.Object({
  id: Type.String(),
  at: Type.String(),
  wallet: Type.String({ description: 'of the operator, checksummed' }),
  act: literals(['login', 'logout', 'create', 'update', 'delete']),
  keyId: orNull(Type.String(), { description: 'record id of the key; null for an act without one' }),
  from: facts,
  to: facts,
})

export type WireAdminAct = Static<typeof adminAct>

/** `next`: what to send as `before` for the next page; null when there is none. */
export const actsAnswer = Type.Object({ success, acts: Type.Array(adminAct), next: nullableText })
