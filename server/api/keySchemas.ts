import { Type } from 'typebox'

// What the routes of keys and of the operators' panel take and answer. What is typed is looked at by server/keys, which says in
// words what is wrong.

const typed = Type.Optional(Type.Unknown())
const nullableText = Type.Union([Type.String(), Type.Null()])
const proof = { walletAddress: typed, signature: typed, message: typed }

/** A body with a signature: `writeOnly` keeps what was found out of the error's text. */
function signedForm<T extends Parameters<typeof Type.Object>[0]>(fields: T) {
  return Type.Object({ ...proof, ...fields }, { additionalProperties: false, writeOnly: true })
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
export const keyParams = Type.Object({ id: Type.String() }, { additionalProperties: false })

const success = Type.Literal(true)
const listedKey = Type.Object({
  id: Type.String(),
  fullId: Type.String(),
  email: Type.String(),
  status: Type.Unsafe<'active' | 'paused' | 'expired'>(Type.String({ enum: ['active', 'paused', 'expired'] })),
  tier: Type.Unsafe<'free' | 'basic' | 'custom' | 'forever'>(Type.String({ enum: ['free', 'basic', 'custom', 'forever'] })),
  requestsPerDay: Type.Integer(),
  usageToday: Type.Integer(),
  createdAt: Type.String(),
  expiresAt: nullableText,
  lastUsed: nullableText,
  note: Type.String(),
  wallet: nullableText,
  txHash: nullableText,
  payment: Type.Union([
    Type.Object({
      status: Type.Unsafe<'found' | 'failed' | 'missing' | 'unknown'>(
        Type.String({ enum: ['found', 'failed', 'missing', 'unknown'] }),
      ),
      transfers: Type.Array(Type.Object({ amount: Type.String(), payer: Type.String(), recipient: Type.String() })),
    }),
    Type.Null(),
  ]),
})

export const freeKeyAnswer = Type.Object({ key: Type.String() })
export const doneAnswer = Type.Object({ success })
export const keyAnswer = Type.Object({ success, key: listedKey })
export const keysAnswer = Type.Object({ success, keys: Type.Array(listedKey) })

export const keyStatsAnswer = Type.Object({
  success,
  stats: Type.Object({
    totalKeys: Type.Integer(),
    activeKeys: Type.Integer(),
    monthlyRevenue: Type.Number(),
    totalRequestsToday: Type.Integer(),
    sharedApiUsage: Type.Integer(),
    sharedApiIPs: Type.Integer(),
  }),
})

const facts = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]))

/** `next`: what to send as `before` for the next page; null when there is none. */
export const actsAnswer = Type.Object({
  success,
  acts: Type.Array(
    Type.Object({
      id: Type.String(),
      at: Type.String(),
      wallet: Type.String(),
      act: Type.Unsafe<'login' | 'logout' | 'create' | 'update' | 'delete'>(
        Type.String({ enum: ['login', 'logout', 'create', 'update', 'delete'] }),
      ),
      keyId: nullableText,
      from: facts,
      to: facts,
    }),
  ),
  next: nullableText,
})
