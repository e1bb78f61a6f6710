import {
  type Address,
  basePrice,
  depthInQuote,
  e18ToNumber,
  type FoundRoute,
  formatMoney,
  groupByToken,
  oneE18,
  type RoutePool,
  type Routes,
  rawToNumber,
  timesFraction,
  usdAlong,
} from '@chainboard/core'
import type { BlockRef } from '../store/syncCursor.ts'
import type { DisplayPool, HopEvidence, Quote, SourceAnswer, SourceName, SourceReading } from './source.ts'
import type { ListedToken } from './tokenList.ts'
import { weighPrice } from './weighPrice.ts'

/** A pool with a price as the answers show it. `fee` is in millionths; `lastSwapAtSeconds` is undefined before the first swap. */
export type MarketPool = RoutePool & { readonly fee: number; readonly lastSwapAtSeconds: number | undefined }

/** All that one reading of pools needs to answer for tokens, whoever told it of the pools. */
export type PoolBook = {
  readonly source: SourceName
  readonly atBlock: BlockRef
  readonly depthFloorUsdE18: bigint
  readonly pools: readonly MarketPool[]
  /** Found among `pools`. */
  readonly routes: Routes
  /** As the chain says them; a token without is left alone. */
  readonly decimals: ReadonlyMap<Address, number>
  readonly symbols: ReadonlyMap<Address, string>
  /** Smallest units of all tokens there are; those not known are left out. */
  readonly supplies: ReadonlyMap<Address, bigint>
  /** sqrtPriceX96 of each pool a day and a week before; pools that were not open then are left out. */
  readonly dayAgo: ReadonlyMap<Address, bigint>
  readonly weekAgo: ReadonlyMap<Address, bigint>
  /** US dollars x 10^18 that each pool traded in the 24 hours before. */
  readonly volumes: ReadonlyMap<Address, bigint>
}

/** What the pools say of each token. Pure. */
export function answerFromPools(book: PoolBook, tokens: readonly ListedToken[]): SourceReading {
  const view: View = {
    ...book,
    poolsByAddress: new Map(book.pools.map((pool) => [pool.address, pool])),
    poolsOf: groupByToken(book.pools),
  }
  const answers = new Map<Address, SourceAnswer>()
  for (const token of tokens) answers.set(token.id, answer(view, token))
  return { atBlock: book.atBlock, answers, poolVolumes: book.volumes }
}

type View = PoolBook & {
  readonly poolsByAddress: ReadonlyMap<Address, MarketPool>
  readonly poolsOf: ReadonlyMap<Address, readonly MarketPool[]>
}

/** Most tokens of a long list: one answer for all of them. */
const untraded = {
  kind: 'unpriced',
  reasons: ['No pool on the chain trades this token'],
  displayPool: undefined,
  supply: undefined,
} as const

function answer(view: View, token: ListedToken): SourceAnswer {
  if (!view.poolsOf.has(token.id) && !view.supplies.has(token.id) && !view.routes.found.has(token.id)) return untraded
  const facts = { displayPool: pickDisplayPool(view, token), supply: findSupply(view, token) }
  const route = view.routes.found.get(token.id)
  if (!route) return { kind: 'unpriced', reasons: [whyUnpriced(view, token)], ...facts }
  return { kind: 'quoted', quote: toQuote(view, token, route), ...facts }
}

function findSupply({ supplies, decimals }: View, { id }: ListedToken): number | undefined {
  const [supplyRaw, ownDecimals] = [supplies.get(id), decimals.get(id)]
  return supplyRaw === undefined || ownDecimals === undefined ? undefined : rawToNumber(supplyRaw, ownDecimals)
}

function toQuote(view: View, token: ListedToken, { route, usdE18, depthUsdE18, isEstablished }: FoundRoute): Quote {
  const { source, atBlock, depthFloorUsdE18, decimals, poolsOf, dayAgo, weekAgo, volumes } = view
  const evidence = route.map((hop) => toEvidence(view, hop))
  const swapTimes = evidence.map(({ lastSwapAtSeconds }) => lastSwapAtSeconds)
  const quietSeconds = swapTimes.every((at) => at !== undefined)
    ? Math.max(0, ...swapTimes.map((at) => atBlock.timestampSeconds - at))
    : undefined
  const { confidence, reasons } = weighPrice({ depthUsdE18, depthFloorUsdE18, quietSeconds, isEstablished })
  const onChain = decimals.get(token.id)
  const mismatch = onChain !== undefined && onChain !== token.decimals
  return {
    source,
    usdE18,
    observedAtSeconds: atBlock.timestampSeconds,
    atBlock,
    route: evidence,
    depthUsdE18,
    confidence,
    reasons: mismatch
      ? [...reasons, `The list says ${token.decimals} decimals, the chain ${onChain}: the chain's are used`]
      : reasons,
    dayAgoUsdE18: usdAlong(route, (pool) => dayAgo.get(pool)),
    weekAgoUsdE18: usdAlong(route, (pool) => weekAgo.get(pool)),
    volume24hUsdE18: (poolsOf.get(token.id) ?? []).reduce((sum, { address }) => sum + (volumes.get(address) ?? 0n), 0n),
    fdmcUsdE18: undefined,
    marketCapUsdE18: undefined,
  }
}

function whyUnpriced({ poolsOf, routes, depthFloorUsdE18, decimals }: View, { id }: ListedToken): string {
  if (!poolsOf.has(id)) return untraded.reasons[0]
  if (!decimals.has(id)) return "The token's contract does not say its decimals"
  const depth = routes.thin.get(id)
  if (depth === undefined) return 'No pool leads from this token to US dollars'
  const [has, wanted] = [depth, depthFloorUsdE18].map((usdE18) => formatMoney(e18ToNumber(usdE18)))
  return `Too thin to set a price: ${has} within 2 % of the price, ${wanted} wanted`
}

function toEvidence({ poolsByAddress, symbols, routes }: View, hop: FoundRoute['route'][number]): HopEvidence {
  const pool = poolsByAddress.get(hop.pool) as MarketPool
  return {
    ...hop,
    fee: pool.fee,
    baseSymbol: symbols.get(hop.base) ?? '',
    quoteSymbol: symbols.get(hop.quote) ?? '',
    sqrtPriceX96: pool.sqrtPriceX96,
    quoteUsdE18: routes.found.get(hop.quote)?.usdE18 ?? 0n,
    lastSwapAtSeconds: pool.lastSwapAtSeconds,
  }
}

/** The pool that the list names, else the one its price comes from, else the deepest one of the token. */
function pickDisplayPool(view: View, token: ListedToken): DisplayPool | undefined {
  const own = view.poolsOf.get(token.id) ?? []
  const named = own.find(({ address }) => address === token.priceInfo?.poolAddress.toLowerCase())
  const routed = view.poolsByAddress.get(view.routes.found.get(token.id)?.route[0]?.pool as Address)
  const pool = named ?? routed ?? own.toSorted((a, b) => compare(depthOf(b, token.id), depthOf(a, token.id)))[0]
  if (!pool) return undefined
  const { address, fee, token0, token1, sqrtPriceX96 } = pool
  const decimals0 = view.decimals.get(token0)
  const decimals1 = view.decimals.get(token1)
  if (decimals0 === undefined || decimals1 === undefined) return undefined
  const baseIsToken0 = token0 === token.id
  const quote = baseIsToken0 ? token1 : token0
  return {
    pool: address,
    fee,
    token0,
    token1,
    decimals0,
    decimals1,
    baseIsToken0,
    quoteSymbol: view.symbols.get(quote) ?? '',
    priceE18: timesFraction(oneE18, basePrice({ sqrtPriceX96, decimals0, decimals1 }, baseIsToken0)),
    quoteRoute: view.routes.found.get(quote)?.route,
  }
}

function depthOf(pool: MarketPool, token: Address): bigint {
  return depthInQuote(pool, pool.token1 !== token)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
