import {
  type Address,
  addOffers,
  type Candidate,
  depthUsd,
  findRoutes,
  getFrom,
  hopsMax,
  isEstablished,
  makeOffer,
  type PricedToken,
  priceStables,
  type RoutePool,
  type RouteRules,
  type Step,
  type StepTo,
  stepsBy,
  type TieredOffer,
  toPriced,
  toTier,
  usdE36Max,
} from '@chainboard/core'
import type { Pool } from '../store/pools.ts'
import type { TokenRow } from '../store/tokens.ts'
import { type PoolWindow, weighPool } from './poolWindows.ts'

/**
 * In which order tokens get their prices, and by which pools. The order is that of the moment when the plan was made, and tokens that
 * had their first price since are behind it; what the pools are, how deep and how old, counts at each block.
 */
export type PricePlan = {
  /** The place of each token that had a price, stable coins first. */
  readonly places: Map<Address, number>
  /** Pools with a token of an earlier place, by the token that they price. Those with quotes of the network, and others. */
  readonly named: Map<Address, Step[]>
  readonly others: Map<Address, Step[]>
  /** Of every pool that was looked at, in each direction: they stay, and a plan looks at all of them. */
  readonly steps: { readonly to0: Map<Address, Step>; readonly to1: Map<Address, Step> }
  /** The open pools of each token, which stay as well: a token that is launched looks at its own alone. */
  readonly poolsOf: Map<Address, Address[]>
  /** Pools that were opened since the plan was made. */
  readonly opened: Set<Address>
  /** After all places. */
  nextPlace: number
}

/** What prices need of the world. */
export type PriceWorld = {
  readonly valuation: RouteRules & { readonly windowSeconds: number }
  readonly pools: ReadonlyMap<Address, Pool>
  readonly tokens: ReadonlyMap<Address, TokenRow>
  readonly windows: ReadonlyMap<Address, PoolWindow>
  readonly plan: PricePlan
}

/** A plan of no tokens; pools are added to it. */
export function emptyPlan(): PricePlan {
  return {
    places: new Map(),
    named: new Map(),
    others: new Map(),
    steps: { to0: new Map(), to1: new Map() },
    poolsOf: new Map(),
    opened: new Set(),
    nextPlace: 0,
  }
}

/** Makes the plan of an hour. @param nowSeconds ends the window, and decides which pools are established */
export function makePlan(world: PriceWorld, nowSeconds: number): void {
  const { pools, plan } = world
  const live = [...pools.values()].filter(({ tick }) => tick !== undefined)
  if (plan.poolsOf.size === 0) for (const pool of live) noteTokens(plan, pool)
  const priced = listPriced(world, live, nowSeconds)
  for (const part of [plan.places, plan.named, plan.others, plan.opened]) part.clear()
  for (const token of priced) plan.places.set(token, plan.places.size)
  plan.nextPlace = plan.places.size
  const stepTo = stepToOf(world)
  for (const pool of live) placePool(world, pool, stepTo)
}

/**
 * The tokens that have a price, each behind those that its price follows from. Of a token with one pool nothing else follows, unless it is a
 * quote of the network: it comes last, and whether its pool is deep enough is found out when something happens to it. On most chains
 * those are nearly all.
 */
function listPriced(world: PriceWorld, live: readonly Pool[], nowSeconds: number): readonly Address[] {
  const { plan, windows, valuation } = world
  const at = { nowSeconds, windowSeconds: valuation.windowSeconds }
  const stepTo = stepToOf(world)
  const linking: RoutePool[] = []
  const lastBy = new Map<Address, Pool[]>()
  const isOnly = (token: Address) => !hasOthers(plan, token) && !isNamedQuote(valuation, token)
  for (const pool of live) {
    const { token0, token1 } = pool
    const [isOnly0, isOnly1] = [isOnly(token0), isOnly(token1)]
    if (!isOnly0 && !isOnly1) linking.push(toRoutePool(windows, pool, at))
    if (isOnly0) addTo(lastBy, token1, pool)
    if (isOnly1) addTo(lastBy, token0, pool)
  }
  const { found } = findRoutes({ pools: linking, stepTo, ...valuation })
  const last: Address[] = []
  for (const [quote, { route, settled }] of found) {
    if (route.length >= hopsMax || settled.depthUsdE18 === 0n) continue
    for (const pool of lastBy.get(quote) ?? []) {
      const base = stepTo(pool, quote)?.base
      if (base !== undefined && !found.has(base)) last.push(base)
    }
  }
  return [...found.keys(), ...last]
}

/** Every field by its name: the rows have thirty, of thousands of pools, each hour. */
function toRoutePool(
  windows: PriceWorld['windows'],
  pool: Pool,
  at: { readonly nowSeconds: number; readonly windowSeconds: number },
): RoutePool {
  return {
    address: pool.address,
    token0: pool.token0,
    token1: pool.token1,
    sqrtPriceX96: pool.sqrtPriceX96,
    window: weighPool(windows, pool, at),
    isEstablished: isEstablished(pool.firstSwapAtSeconds, at.nowSeconds),
  }
}

/** Takes a pool into the plan that was opened after it was made. */
export function addToPlan(world: PriceWorld, pool: Pool): void {
  noteTokens(world.plan, pool)
  world.plan.opened.add(pool.address)
  placePool(world, pool, stepToOf(world))
}

/** Whether the token has more than one open pool. */
function hasOthers({ poolsOf }: PricePlan, token: Address): boolean {
  return (poolsOf.get(token)?.length ?? 0) > 1
}

function noteTokens({ poolsOf }: PricePlan, { address, token0, token1 }: Pool): void {
  for (const token of [token0, token1]) addTo(poolsOf, token, address)
}

function addTo<V>(lists: Map<Address, V[]>, key: Address, value: V): void {
  const known = lists.get(key)
  if (known) known.push(value)
  else lists.set(key, [value])
}

/**
 * By which of its tokens the pool prices the other one, if it does. One that was opened since the plan was made, with a token that is no quote
 * of the network, prices no token that has further pools: which of the two came first would depend on pools that have nothing to do with
 * them, and `verify` does not have those.
 */
function placePool({ plan, valuation }: PriceWorld, pool: Pool, stepTo: StepTo): void {
  const place0 = plan.places.get(pool.token0) ?? Number.POSITIVE_INFINITY
  const place1 = plan.places.get(pool.token1) ?? Number.POSITIVE_INFINITY
  if (place0 === place1) return
  const quote = place0 < place1 ? pool.token0 : pool.token1
  const step = stepTo(pool, quote)
  if (!step) return
  const isNamed = isNamedQuote(valuation, quote)
  if (plan.opened.has(pool.address) && !isNamed && hasOthers(plan, step.base)) return
  addTo(isNamed ? plan.named : plan.others, step.base, step)
}

/** Whether the network names the token as a quote. */
export function isNamedQuote({ stables, wrappedNative, quotes }: RouteRules, token: Address): boolean {
  return token === wrappedNative || stables.includes(token) || quotes.includes(token)
}

function stepToOf({ tokens, plan }: Pick<PriceWorld, 'tokens' | 'plan'>): StepTo {
  const { to0, to1 } = plan.steps
  const make = stepsBy({ get: (token) => tokens.get(token)?.decimals })
  return (pool, quote) => {
    const steps = quote === pool.token1 ? to1 : to0
    const known = steps.get(pool.address)
    if (known) return known
    const made = make(pool, quote)
    if (made) steps.set(pool.address, made)
    return made
  }
}

export type PriceOf = (token: Address) => PricedToken | undefined

/**
 * Takes tokens into the plan that have a first price, so that others may have theirs by it, and out of it that lost their price and may have
 * another way. Only the token's own pools decide that, and nothing else of the plan changes. So `verify`, which has some of the pools,
 * finds the same dollars.
 * @param tokens that something happened to
 * @returns the prices by the plan that is in force
 */
export function keepPlan(world: PriceWorld, tokens: ReadonlySet<Address>, nowSeconds: number): PriceOf {
  let price = priceTokens(world, nowSeconds)
  for (let i = 0; i < hopsMax; i += 1) {
    const changed = [...tokens].filter((token) => world.plan.places.has(token) !== (price(token) !== undefined))
    if (changed.length === 0) break
    for (const token of changed) changePlace(world, token)
    price = priceTokens(world, nowSeconds)
  }
  return price
}

/** The token comes behind all others, or has no place any more. */
function changePlace(world: PriceWorld, token: Address): void {
  const { plan } = world
  if (!plan.places.delete(token)) plan.places.set(token, plan.nextPlace++)
  const own = (plan.poolsOf.get(token) ?? []).map((address) => getFrom(world.pools, address))
  const without = new Set(own.map(({ address }) => address))
  for (const base of new Set([token, ...own.flatMap(({ token0, token1 }) => [token0, token1])]))
    for (const lists of [plan.named, plan.others]) {
      const steps = lists.get(base)
      if (steps)
        lists.set(
          base,
          steps.filter(({ pool }) => !without.has(pool)),
        )
    }
  const stepTo = stepToOf(world)
  for (const pool of own) placePool(world, pool, stepTo)
}

/** Prices at a moment, by the plan and by what its pools are now. Each is worked out once. @returns undefined for a token without a price */
export function priceTokens(world: PriceWorld, nowSeconds: number): PriceOf {
  const { plan } = world
  const known: Map<Address, PricedToken | undefined> = priceStablesNow(world, nowSeconds)
  const price = (token: Address): PricedToken | undefined => {
    if (known.has(token)) return known.get(token)
    const priced = work(token)
    known.set(token, priced)
    return priced
  }
  const [byNamed, byOthers]: readonly [Look, Look] = [
    { price, nowSeconds, isNamed: true },
    { price, nowSeconds, isNamed: false },
  ]
  const work = (token: Address): PricedToken | undefined => {
    const named = weighAll(world, undefined, plan.named.get(token), byNamed)
    const candidate = weighAll(world, named, plan.others.get(token), byOthers)
    const quote = candidate && price(candidate.best.hop.quote)
    return quote && toPriced(candidate, quote)
  }
  return price
}

/** What stable coins count as, by the pools between them: whichever of the two the plan prices by the other. */
function priceStablesNow(world: PriceWorld, nowSeconds: number): Map<Address, PricedToken> {
  const { valuation, plan, windows } = world
  const { stables, depthFloorUsdE18, windowSeconds } = valuation
  const pools = stables.flatMap((coin) =>
    (plan.named.get(coin) ?? []).flatMap(({ pool: address }) => {
      const pool = world.pools.get(address)
      return pool ? [toRoutePool(windows, pool, { nowSeconds, windowSeconds })] : []
    }),
  )
  return priceStables({ stables, pools, stepTo: stepToOf(world), depthFloorUsdE18 })
}

type Look = { readonly price: PriceOf; readonly nowSeconds: number; readonly isNamed: boolean }

/** The candidate with these pools, too. */
function weighAll(
  world: PriceWorld,
  known: Candidate | undefined,
  pools: readonly Step[] | undefined,
  look: Look,
): Candidate | undefined {
  if (!pools) return known
  const { price } = look
  const offers = new Map<Address, TieredOffer[]>()
  for (const planned of pools) {
    const quote = price(planned.quote)
    const offer = quote && quote.route.length < hopsMax ? weighOne(world, planned, quote, look) : undefined
    if (offer) addTo(offers, planned.quote, offer)
  }
  let candidate = known
  for (const [quote, own] of offers) {
    const priced = price(quote)
    if (priced) candidate = addOffers(candidate, own, priced.settled)
  }
  return candidate
}

/** What a pool says; undefined where it has not enough to say anything. */
function weighOne(
  { pools, windows, valuation }: PriceWorld,
  planned: Step,
  quote: PricedToken,
  { nowSeconds, isNamed }: Look,
): TieredOffer | undefined {
  const { depthFloorUsdE18, windowSeconds } = valuation
  const pool = pools.get(planned.pool)
  if (!pool) return undefined
  const moment = weighPool(windows, pool, { nowSeconds, windowSeconds })
  const depthUsdE18 = depthUsd(moment, planned, quote.usdE18)
  if (depthUsdE18 < depthFloorUsdE18 || depthUsdE18 === 0n) return undefined
  const offer = makeOffer({ ...planned, depthUsdE18 }, moment.sqrtPriceX96, quote.settled)
  if (offer.usdE36 > usdE36Max) return undefined
  const { isSettled } = moment
  const tier = toTier(quote, { isNamed, isEstablished: isEstablished(pool.firstSwapAtSeconds, nowSeconds), isSettled })
  return { offer, tier }
}
