import { routes, type WireWindows } from '@chainboard/contract'
import { Failure, parseAddress } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { TokenWindows, Trades } from '../market/tokenWindows.ts'
import { sayAsOf } from './asOf.ts'
import type { Market, Windows } from './deps.ts'
import { createSendOnce } from './packing.ts'
import { toNumber } from './toWire.ts'

/** Figures of a token over several spans of time. */
export function windowRoutes({ snapshot, readWindows }: Market & Windows): FastifyPluginCallbackTypebox {
  const sendOnce = createSendOnce()
  return (app, _, done) => {
    app.route({
      ...routes.getTokenWindows,
      handler: async (request, reply) => {
        const { address } = request.params
        const id = parseAddress(address)
        const market = id && snapshot().byToken.get(id)
        if (!market) throw new Failure('token-not-found', `Token ${address} is not on this site's list`)
        const { value, atBlock } = await readWindows(market)
        return sendOnce(request, sayAsOf(reply, atBlock), { of: value, form: '', toWire: () => toWireWindows(value) })
      },
    })
    done()
  }
}

function toWireWindows({ windows, traders }: TokenWindows): WireWindows {
  return {
    windows: windows.map(({ span, changePercent, volumeUsdE18, swaps, trades }) => ({
      ...{ span, change: changePercent ?? null, volumeUsd: toNumber(volumeUsdE18), swaps: swaps ?? null },
      trades: trades ? toWireTrades(trades) : null,
    })),
    traders:
      traders?.map(({ wallet, boughtUsdE18, soldUsdE18 }) => ({ wallet, ...toSides({ boughtUsdE18, soldUsdE18 }) })) ?? null,
  }
}

function toWireTrades({ buys, sells, traders, ...sides }: Trades) {
  return { buys, sells, traders, ...toSides(sides) }
}

function toSides({ boughtUsdE18, soldUsdE18 }: Pick<Trades, 'boughtUsdE18' | 'soldUsdE18'>) {
  return { boughtUsd: toNumber(boughtUsdE18) ?? 0, soldUsd: toNumber(soldUsdE18) ?? 0 }
}
