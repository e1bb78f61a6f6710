import { type Address, Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { receiptSchema, toReceipt } from '../market/receipt.ts'
import type { RecentMarkets } from '../market/recentMarkets.ts'
import type { NetworkFile } from '../networkFile.ts'
import { addressParam, problems, query } from './schemas.ts'

export type ReceiptDeps = { readonly network: NetworkFile; readonly recent: RecentMarkets }

const receiptQuery = query({ block: Type.Optional(Type.Integer({ minimum: 0, description: 'a block number' })) })

/** A price with its evidence, now or at one of the last blocks, so that a stranger can work it out again. */
export function receiptRoute({ network, recent }: ReceiptDeps): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    app.get(
      '/api/tokens/:address/receipt',
      { schema: { params: addressParam, querystring: receiptQuery, response: { 200: receiptSchema, ...problems } } },
      (request) => {
        const id = request.params.address.toLowerCase() as Address
        const { block } = request.query
        if (!recent.find(id)) throw new Failure('token-not-found', `Token ${request.params.address} is not listed here`)
        const market = recent.find(id, block)
        if (!market)
          throw new Failure('token-not-found', `No receipt of block ${block} is kept: ${describeKept(recent.blocks())}`)
        return toReceipt(market, network)
      },
    )
    done()
  }
}

function describeKept(blocks: readonly number[]): string {
  if (blocks.length === 0) return 'there is none so far'
  return `the last ${blocks.length} are of blocks ${blocks[0]} to ${blocks.at(-1)}`
}
