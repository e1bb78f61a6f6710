import { type Static, type TProperties, Type } from 'typebox'
import { exact } from './shapes.ts'

// Accounts and favourites. Bodies let everything through: server/accounts checks it and says in words what is wrong.

const typed = Type.Optional(Type.Unknown())

/** A body with a PIN: `writeOnly` keeps what was found out of the error's text. */
function secretForm<T extends TProperties>(fields: T) {
  return Type.Object(fields, { ...exact, writeOnly: true })
}

export const registrationBody = secretForm({ username: typed, pin: typed })
export const pinBody = secretForm({ pin: typed })
export const signInBody = secretForm({ pin: typed, code: typed })
export const walletBody = secretForm({ address: typed, pin: typed })
export const favoriteBody = Type.Object({ tokenAddress: typed }, exact)

const segment = Type.String()
export const userParams = Type.Object({ username: segment }, exact)
export const walletParams = Type.Object({ username: segment, address: segment }, exact)
export const favoriteParams = Type.Object({ username: segment, tokenAddress: segment }, exact)

/** Answer of `/api/users/{username}` and of all that changes it. */
export const userAnswer = Type.Object({
  username: Type.String(),
  wallets: Type.Array(Type.String(), { description: 'checksummed, in the order they were added' }),
})

export type WireUser = Static<typeof userAnswer>

export const verifiedAnswer = Type.Object({ success: Type.Literal(true) })

export const codeAnswer = Type.Object({ code: Type.String(), expiresAt: Type.Integer({ description: 'unix seconds' }) })

export type WireSignInCode = Static<typeof codeAnswer>

export const favoritesAnswer = Type.Array(Type.String(), {
  description: 'addresses in lower case, in the order they were added',
})
