import type { Receipt, WirePriceRules } from '@chainboard/contract'
import { type Address, decimalToE18, findRoutes, isEstablished, type PricedToken, stepsBy } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { weighPool } from '../indexer/poolWindows.ts'
import type { Valuation } from '../indexer/world.ts'
import type { MarketPool, PoolBook } from '../market/answerFromPools.ts'
import { listPools, readDecimals, toAddress } from './listPools.ts'
import { findBlockAt, type WindowBlocks } from './readMedian.ts'
import type { Asking } from './readPoolEvents.ts'
import { hadTraded, readSwapTimes, type SwapTimes } from './readSwapTimes.ts'
import { type KnownPool, replayPools } from './replayPools.ts'

/** So long after its first swap a pool is established. */
const establishedSeconds = 3_600
/** Tokens that are asked for their names at once. */
const tokensAtOnce = 16

/** What the node's pools say of the choice that a receipt made, by the rules of the site. */
export type Choice = {
  /** All pools that were found, as a site has them in its index, without what it knows of the hours before. */
  readonly book: PoolBook
  /** Prices out of them. */
  readonly found: ReadonlyMap<Address, PricedToken>
}

/** Rules as the index takes them. */
export function toValuation(rules: WirePriceRules): Valuation {
  return {
    stables: rules.stables.map(toAddress),
    wrappedNative: toAddress(rules.wrappedNative),
    quotes: rules.quotes.map(toAddress),
    depthFloorUsdE18: decimalToE18(rules.depthFloorUsd) ?? 0n,
    windowSeconds: rules.windowSeconds,
  }
}

export type ChoiceRequest = { readonly rules: WirePriceRules; readonly window: WindowBlocks }

/**
 * Reads every pool of the receipt, and every other pool of the factory between its tokens, its dollars and the wrapped coin: what they
 * went through in the window. Then prices are found among all of them, as the index finds them.
 * @throws Failure `rpc-…` as the node does
 */
export async function readChoice(asking: Asking, receipt: Receipt, { rules, window }: ChoiceRequest): Promise<Choice> {
  const { last, before, windowSeconds } = window
  const valuation = toValuation(rules)
  const hourAgo = await findBlockAt(asking.chain, last, last.timestampSeconds - establishedSeconds)
  const stated = new Map(listStated(receipt).map((pool) => [pool.address, pool]))
  const candidates = await listCandidates(asking, receipt, { rules, valuation, block: last.number })
  const known = [...stated.values(), ...candidates.filter(({ address }) => !stated.has(address))]
  const tokens = known.flatMap(({ token0, token1 }) => [token0, token1])
  const decimals = await readDecimals(asking.chain, tokens, last.number)
  const { world, events, startPrices } = await replayPools(asking, { pools: known, decimals, valuation, before, last })
  const pools: MarketPool[] = []
  for (const { address } of known) {
    const pool = world.pools.get(address)
    if (!pool || pool.tick === undefined) continue
    const moment = weighPool(world.windows, pool, { nowSeconds: last.timestampSeconds, windowSeconds })
    const own = stated.get(address)
    const facts = { pool: address, last, before, events: events.get(address) ?? [], startPrice: startPrices.get(address) ?? 0n }
    const times = own ? await readSwapTimes(asking, { ...facts, stated: own }) : undefined
    const isEmpty = moment.depth0 === 0n && moment.depth1 === 0n
    // Looked for where nothing is stated, or nothing true.
    const isOpen = !times || times.firstSwapAtSeconds !== own?.firstSwapAtSeconds
    const isOld =
      isEstablished(times?.firstSwapAtSeconds, last.timestampSeconds) ||
      (isOpen && !isEmpty && hourAgo !== undefined && (await hadTraded(asking, address, hourAgo)))
    pools.push({ ...pool, ...times, window: moment, isEstablished: isOld })
  }
  const routes = findRoutes({ pools, stepTo: stepsBy(decimals), ...valuation })
  const { number, hash, timestampSeconds } = last
  const book: PoolBook = {
    ...{ source: 'index', atBlock: { number, hash, timestampSeconds }, pools, routes, decimals, ...nothingElse },
    depthFloorUsdE18: valuation.depthFloorUsdE18,
    symbols: await readSymbols(asking.chain, tokens),
  }
  return { book, found: routes.found }
}

/** What only who followed the chain knows. Without a window, coins are not held against each other: that takes all pools there are. */
const nothingElse = {
  supplies: new Map(),
  dayAgo: new Map(),
  weekAgo: new Map(),
  recentRanges: new Map(),
  lastingTrust: new Map(),
  volumes: undefined,
  windowSeconds: undefined,
} satisfies Partial<PoolBook>

async function readSymbols(chain: Chain, tokens: readonly Address[]): Promise<ReadonlyMap<Address, string>> {
  const all = [...new Set(tokens)]
  const symbols = new Map<Address, string>()
  for (let from = 0; from < all.length; from += tokensAtOnce)
    for (const { address, symbol } of await chain.readTokens(all.slice(from, from + tokensAtOnce))) symbols.set(address, symbol)
  return symbols
}

/** The pools that a receipt names, with the times that it states. */
export function listStated({ steps }: Receipt): (KnownPool & SwapTimes)[] {
  const hops = steps.flatMap(({ pools }) => pools)
  const pools = hops.map(({ pool, base, quote, baseIsToken0, fee, firstSwapAt, lastSwapAt }) => {
    const [token0, token1] = baseIsToken0 ? [base, quote] : [quote, base]
    const times = { firstSwapAtSeconds: firstSwapAt ?? undefined, lastSwapAtSeconds: lastSwapAt ?? undefined }
    return { address: toAddress(pool), token0: toAddress(token0), token1: toAddress(token1), fee, ...times }
  })
  return [...new Map(pools.map((pool) => [pool.address, pool])).values()]
}

type CandidateRequest = { readonly rules: WirePriceRules; readonly valuation: Valuation; readonly block: number }

/** Pools that could count by the rules, as far as the factory tells. */
async function listCandidates({ chain }: Asking, receipt: Receipt, request: CandidateRequest): Promise<KnownPool[]> {
  const { rules, valuation, block } = request
  const { stables, wrappedNative } = valuation
  const tokens = receipt.steps.map(({ token }) => toAddress(token))
  const quotes = [...stables, wrappedNative, ...valuation.quotes, ...tokens]
  // An index of listed tokens' pools need not have those between two others: the receipt's own token is listed.
  const bases = rules.pools === 'listed' ? tokens.slice(0, 1) : [...tokens, wrappedNative, ...stables]
  const fees = receipt.steps.flatMap(({ pools }) => pools.map(({ fee }) => fee))
  const pools = await listPools(chain, { factory: toAddress(rules.factory), block, bases, quotes, fees })
  return pools.map((pool) => ({ ...pool, firstSwapAtSeconds: undefined }))
}
