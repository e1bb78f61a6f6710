import type { Static } from 'typebox'
import { accountCareRoutes } from './accountCare.ts'
import { accountRoutes } from './accounts.ts'
import { boostRoutes } from './boosts.ts'
import { candleRoutes } from './candles.ts'
import { consoleRoutes } from './console.ts'
import { figureRoutes } from './figureReceipts.ts'
import { adminRoutes, keyRoutes } from './keys.ts'
import { operatorRoutes } from './operators.ts'
import { poolRoutes } from './pools.ts'
import { priceRoutes } from './prices.ts'
import { receiptRoutes } from './receipts.ts'
import { signInMethodRoutes } from './signInMethods.ts'
import { siteRoutes } from './site.ts'
import { statsRoutes } from './stats.ts'
import { statusRoutes } from './status.ts'
import { swapFeedRoutes } from './swapFeed.ts'
import { swapRoutes } from './swaps.ts'
import { tokenRoutes } from './tokens.ts'
import { windowRoutes } from './tokenWindows.ts'
import { upstreamRoutes } from './upstreams.ts'
import { walletRoutes } from './wallets.ts'

/** Every route of the server but pages and files, by its operation id. */
export const routes = {
  ...priceRoutes,
  ...tokenRoutes,
  ...swapRoutes,
  ...windowRoutes,
  ...candleRoutes,
  ...swapFeedRoutes,
  ...poolRoutes,
  ...receiptRoutes,
  ...figureRoutes,
  ...boostRoutes,
  ...walletRoutes,
  ...siteRoutes,
  ...statusRoutes,
  ...upstreamRoutes,
  ...accountRoutes,
  ...accountCareRoutes,
  ...signInMethodRoutes,
  ...statsRoutes,
  ...keyRoutes,
  ...adminRoutes,
  ...operatorRoutes,
  ...consoleRoutes,
}

type Routes = typeof routes
export type OperationId = keyof Routes
/** Of every route, parameters as `:name`. */
export type Path = Routes[OperationId]['url']

type ParamNames<P extends string> = P extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : P extends `:${infer Name}`
    ? Name
    : never

/** What the parameters of a path are filled with. */
export type ParamsOf<P extends Path> = { readonly [Name in ParamNames<P>]: string }

type Queried<P extends Path> = Extract<Routes[OperationId], { readonly method: 'GET'; readonly url: P }>['schema']['querystring']

/** What a GET of a path may be asked with. */
export type QueryOf<P extends Path> = Partial<Omit<Static<Queried<P>>, '_'>>
