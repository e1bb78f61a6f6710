import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { KeyGate } from '../../keys/keyGate.ts'
import type { Clock, Market, MarketNews, Servers } from '../deps.ts'
import type { Metrics } from '../metrics.ts'
import { createHotPath, type HotPathDeps } from './hotPath.ts'
import { keepPriceCache } from './priceCache.ts'
import { priceRoutes } from './priceRoutes.ts'
import { createPriceStream } from './stream/priceStream.ts'

export type PriceApi = {
  /** To be mounted at `/api/v1`. Closing the app ends the streams. */
  readonly routes: FastifyPluginCallbackTypebox
  /** Ends all streams; their readers come back. */
  endStreams(): void
  /** Answers the usual calls before the app sees them. False: the app has to. */
  answerEarly(request: IncomingMessage, response: ServerResponse): boolean
}

export type PriceApiDeps = Market & MarketNews & Clock & Servers & { readonly keyGate: KeyGate }
type Options = Pick<HotPathDeps, 'proxies' | 'tell'> & { readonly metrics: Pick<Metrics, 'counterOf' | 'watchStreams'> }

/** The price API: its two ways in and its stream, over one cache of answers. */
export function openPriceApi(deps: PriceApiDeps, { proxies, metrics, tell }: Options): PriceApi {
  const { nowSeconds, keyGate: gate } = deps
  const prices = keepPriceCache(deps)
  const stream = createPriceStream({ prices, nowSeconds, sharedStreams: deps.sharedStreams }, { run: deps.told?.run })
  const hotPath = createHotPath({ prices, gate, proxies, counterOf: metrics.counterOf, tell })
  const unwatch = deps.told ? [deps.told.watch(stream.tell)] : [deps.watchSnapshots(stream.look), deps.watchIndex(stream.follow)]
  metrics.watchStreams(stream.readers)
  const routes = priceRoutes({ prices, nowSeconds, gate, stream, spentFor: hotPath.spentFor })
  const endStreams = () => {
    for (const end of unwatch) end()
    stream.close()
  }
  return {
    answerEarly: hotPath.answer,
    endStreams,
    routes: (app, options, done) => {
      app.addHook('preClose', async () => endStreams())
      routes(app, options, done)
    },
  }
}

/** Whether an address is of the price API, however broken it is. */
export function isPriceApi(url: string): boolean {
  return /^\/api\/v1([/?#]|$)/.test(url)
}
