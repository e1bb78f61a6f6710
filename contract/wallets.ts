import { type Static, Type } from 'typebox'
import { group } from './route.ts'
import { addressParam, addressText, exact, noQuery, problems, query } from './shapes.ts'

/** What a wallet holds, at the end of one block. What it has nothing of is left out, and so is a token that does not answer. */
const balancesAnswer = Type.Object({
  block: Type.Integer(),
  tokens: Type.Array(
    Type.Object({
      tokenAddress: Type.String({ description: 'native for the coin, else a checksummed address' }),
      balance: Type.String({ description: 'whole tokens as exact decimal text' }),
    }),
  ),
})

export type WireBalances = Static<typeof balancesAnswer>

const stakeParams = Type.Object({ stakingContract: addressText, walletAddress: addressText }, exact)

/** `token` is needed where several tokens are staked in one contract. */
const stakeQuery = query({ token: Type.Optional(addressText) })

const stakeAnswer = Type.Object({ totalAmount: Type.String({ description: 'whole tokens as exact decimal text' }) })

export type WireStake = Static<typeof stakeAnswer>

/** What a wallet holds and has staked, read from the node for the call. Nothing of it is stored. */
export const walletRoutes = group('Wallets', {
  getBalances: {
    method: 'GET',
    url: '/api/wallets/:address/balance',
    schema: {
      summary: 'What a wallet holds',
      description: 'The coin and every listed token with a balance. Tokens whose contract does not answer are left out.',
      params: addressParam,
      querystring: noQuery,
      response: { 200: balancesAnswer, ...problems },
    },
  },
  getStake: {
    method: 'GET',
    url: '/api/staking/:stakingContract/:walletAddress',
    schema: {
      summary: 'What a wallet has staked in a contract',
      description: 'The token list has to name the contract. `token` is needed if several tokens are staked in it.',
      params: stakeParams,
      querystring: stakeQuery,
      response: { 200: stakeAnswer, ...problems },
    },
  },
})
