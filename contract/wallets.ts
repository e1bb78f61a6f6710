import { type Static, Type } from 'typebox'
import { addressText, exact, query } from './shapes.ts'

/** What a wallet holds, at the end of one block. What it has nothing of is left out, and so is a token that does not answer. */
export const balancesAnswer = Type.Object({
  block: Type.Integer(),
  tokens: Type.Array(
    Type.Object({
      tokenAddress: Type.String({ description: 'native for the coin, else a checksummed address' }),
      balance: Type.String({ description: 'whole tokens as exact decimal text' }),
    }),
  ),
})

export type WireBalances = Static<typeof balancesAnswer>

export const stakeParams = Type.Object({ stakingContract: addressText, walletAddress: addressText }, exact)

/** `token` is needed where several tokens are staked in one contract. */
export const stakeQuery = query({ token: Type.Optional(addressText) })

export const stakeAnswer = Type.Object({ totalAmount: Type.String({ description: 'whole tokens as exact decimal text' }) })

export type WireStake = Static<typeof stakeAnswer>
