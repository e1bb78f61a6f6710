import { type Static, Type } from 'typebox'
import { group } from './route.ts'
import { addressText, idOnly, pageFields, problems, query } from './shapes.ts'

const boostsQuery = query({ token: Type.Optional(addressText), ...pageFields })

/** A token's boost, from the boost contract at the last block that was read. */
export const boostInfo = Type.Object(
  {
    isBoosted: Type.Boolean(),
    expirationTime: Type.Integer({ description: 'unix seconds' }),
    remainingHours: Type.Integer(),
    remainingMinutes: Type.Integer(),
  },
  { description: 'absent when the token is not boosted' },
)

/** One payment, newest first. Addresses are checksummed. */
const boostAnswer = Type.Object({
  token: Type.String(),
  payer: Type.String(),
  paymentToken: Type.String(),
  amount: Type.String({ description: 'whole payment tokens as exact decimal text' }),
  timestamp: Type.Integer({ description: 'unix seconds of the block with the payment' }),
  expiresAt: Type.Integer({
    description: 'the boost’s end right after this payment; a later pause or removal can change the end, but not this value',
  }),
  transaction: idOnly,
})

export type WireBoost = Static<typeof boostAnswer>

/** Payments for boosts as the boost contract's events tell them. Amounts are in the payment token. */
export const boostRoutes = group('Tokens', {
  listBoosts: {
    method: 'GET',
    url: '/api/boosts',
    schema: {
      summary: 'Payments for boosts, newest first: who paid how much for which token',
      description: 'In pages of 50 unless `pageSize` says otherwise. `X-Total-Count` is the number of matching payments.',
      querystring: boostsQuery,
      response: { 200: Type.Array(boostAnswer), ...problems },
    },
  },
})
