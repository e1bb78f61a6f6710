import { routes, type WireCandles } from '@chainboard/contract'
import { e18ToNumber, Failure, parseAddress } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { CandlePage, Prices } from '../market/candles/candlePage.ts'
import { sayAsOf } from './asOf.ts'
import type { Candles, Market } from './deps.ts'
import { createSendOnce } from './packing.ts'
import { shareAnswers } from './sharedCache.ts'

/** Pages of a token's candles. */
export function candleRoutes({ snapshot, readCandles }: Market & Candles): FastifyPluginCallbackTypebox {
  const sendOnce = createSendOnce()
  return (app, _, done) => {
    shareAnswers(app)
    app.route({
      ...routes.getCandles,
      handler: async (request, reply) => {
        const { address } = request.params
        const id = parseAddress(address)
        const market = id && snapshot().byToken.get(id)
        if (!market) throw new Failure('token-not-found', `Token ${address} is not on this site's list`)
        const { interval = '1h', before } = request.query
        const { value, atBlock } = await readCandles(market, { interval, before })
        return sendOnce(request, sayAsOf(reply, atBlock), { of: value, form: '', toWire: () => toWireCandles(value) })
      },
    })
    done()
  }
}

function toWireCandles({ candles, nextBefore, sinceSeconds, dayAgo, reason }: CandlePage): WireCandles {
  return {
    candles: candles.map(({ atSeconds, volumeUsdE18, fair, ...last }) => ({
      ...{ time: atSeconds, ...toWirePrices(last), volumeUsd: e18ToNumber(volumeUsdE18), fair: fair ? toWirePrices(fair) : null },
    })),
    nextBefore: nextBefore ?? null,
    since: sinceSeconds ?? null,
    dayAgo: dayAgo ? { time: dayAgo.atSeconds, price: e18ToNumber(dayAgo.value) } : null,
    ...(reason === undefined ? {} : { reason }),
  }
}

function toWirePrices({ open, high, low, close }: Prices) {
  return { open: e18ToNumber(open), high: e18ToNumber(high), low: e18ToNumber(low), close: e18ToNumber(close) }
}
