import { routes, type WireBalances, type WireStake } from '@chainboard/contract'
import { type Address, rawToDecimal, requireAddress } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { getAddress } from 'viem'
import type { Portfolio } from '../portfolio/createPortfolio.ts'
import type { WalletBalances } from '../portfolio/readBalances.ts'
import { clientOf } from './clientOf.ts'

export type PortfolioRouteDeps = { readonly portfolio: Portfolio }

/** What a wallet has, as the chain says at this moment. */
export function portfolioRoutes({ portfolio }: PortfolioRouteDeps): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    app.route({
      ...routes.getBalances,
      config: { budget: 'balances' },
      handler: async (request) => toWireBalances(await portfolio.readBalances(toAddress(request.params.address))),
    })
    app.route({
      ...routes.getStake,
      config: { budget: 'stakes' },
      handler: async (request): Promise<WireStake> => {
        const { stakingContract, walletAddress } = request.params
        const { token } = request.query
        const { amountRaw, decimals } = await portfolio.readStake({
          contract: toAddress(stakingContract),
          wallet: toAddress(walletAddress),
          token: token === undefined ? undefined : toAddress(token),
          client: clientOf(request),
        })
        return { totalAmount: rawToDecimal(amountRaw, decimals) }
      },
    })
    done()
  }
}

/** @throws Failure `request-invalid` for what no schema should have passed */
function toAddress(text: string): Address {
  return requireAddress(text, 'request-invalid')
}

function toWireBalances({ block, balances }: WalletBalances): WireBalances {
  return {
    block,
    tokens: balances.map(({ token, amountRaw, decimals }) => ({
      tokenAddress: token === 'native' ? token : getAddress(token),
      balance: rawToDecimal(amountRaw, decimals),
    })),
  }
}
