import { routes, type WirePool } from '@chainboard/contract'
import { Failure, parseAddress, rawToNumber } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { type BoardPool, type BoardToken, type DepthInUsd, pickPools, priceOfToken0 } from '../market/poolBoard.ts'
import { sayAsOf } from './asOf.ts'
import type { Pools } from './deps.ts'
import { toNumber } from './toWire.ts'

const pageSizeDefault = 25

/** Pools of the exchange with what they hold. */
export function poolRoutes({ readPools, readDepths }: Pools): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    app.route({
      ...routes.listPools,
      handler: async (request, reply) => {
        const { token, search, sort, page = 1, pageSize = pageSizeDefault } = request.query
        const { value: board, atBlock } = await readPools()
        const wanted = { token: token === undefined ? undefined : parseAddress(token), search, sort, page, pageSize }
        const { pools, total, liquidityUsdE18 } = pickPools(board, wanted)
        const depths = await readDepths(pools)
        sayAsOf(reply, atBlock).headers({ 'X-Total-Count': total, 'X-Total-Liquidity': toNumber(liquidityUsdE18) ?? 0 })
        return pools.map((pool) => toWirePool(pool, depths.get(pool.address)))
      },
    })
    app.route({
      ...routes.getPool,
      handler: async (request, reply) => {
        const { value: board, atBlock } = await readPools()
        const address = parseAddress(request.params.address)
        const pool = address && board.byAddress.get(address)
        if (!pool) throw new Failure('not-found', `No open pool of this exchange has the address ${request.params.address}`)
        sayAsOf(reply, atBlock)
        return toWirePool(pool, (await readDepths([pool])).get(pool.address))
      },
    })
    done()
  }
}

function toWirePool(pool: BoardPool, depth: DepthInUsd | undefined): WirePool {
  return {
    address: pool.address,
    fee: pool.fee,
    token0: toSide(pool.token0, pool.reserve0),
    token1: toSide(pool.token1, pool.reserve1),
    price: toNumber(priceOfToken0(pool)),
    liquidityUsd: toNumber(pool.liquidityUsdE18),
    depth: depth ? { upUsd: toNumber(depth.upUsdE18) ?? 0, downUsd: toNumber(depth.downUsdE18) ?? 0 } : null,
    volume24h: toNumber(pool.volume24hUsdE18),
    firstSwapAt: pool.firstSwapAtSeconds ?? null,
    lastSwapAt: pool.lastSwapAtSeconds ?? null,
  }
}

function toSide({ address, symbol, name, decimals, isListed, usdE18 }: BoardToken, reserveRaw: bigint): WirePool['token0'] {
  const amount = decimals === undefined ? null : rawToNumber(reserveRaw > 0n ? reserveRaw : 0n, decimals)
  return { address, symbol, name, listed: isListed, usdPrice: toNumber(usdE18), amount }
}
