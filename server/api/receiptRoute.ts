import { type FigureName, type FigureReceipt, routes } from '@chainboard/contract'
import { type Address, Failure, parseAddress } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { toPriceRules, toReceipt } from '../market/receipt.ts'
import type { TokenMarket } from '../market/tokenMarket.ts'
import type { NetworkFile } from '../networkFileSchema.ts'

/** What receipts are made of. Without a block: the newest. */
export type Receipts = {
  /** @throws Failure `token-not-found` for a token or a block that there is no receipt of, `busy` */
  priceAt(token: Address, block: number | undefined): Promise<TokenMarket>
  /** @throws Failure as above */
  figureAt(
    token: Address,
    figure: FigureName,
    at: { readonly block: number | undefined; readonly hour: number | undefined },
  ): Promise<FigureReceipt>
}

export type ReceiptDeps = { readonly network: NetworkFile; readonly receipts: Receipts }

/** A price or another figure with its evidence, now or at a block of the last 30 days, so that a stranger can work it out again. */
export function receiptRoute({ network, receipts }: ReceiptDeps): FastifyPluginCallbackTypebox {
  const rules = toPriceRules(network)
  return (app, _, done) => {
    const config = { budget: 'receipts' } as const
    app.route({
      ...routes.getReceipt,
      config,
      handler: async ({ params, query: { block } }) => toReceipt(await receipts.priceAt(toId(params.address), block), rules),
    })
    app.route({
      ...routes.getFigureReceipt,
      config,
      handler: ({ params, query: { block, hour } }) => receipts.figureAt(toId(params.address), params.figure, { block, hour }),
    })
    done()
  }
}

/** @throws Failure `token-not-found` for what no token is called */
function toId(text: string): Address {
  const id = parseAddress(text)
  if (!id) throw new Failure('token-not-found', `Token ${text} is not on this site's list`)
  return id
}
