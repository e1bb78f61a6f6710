import type { FigurePool, FigureReceipt, FigureSpan, Receipt } from '@chainboard/contract'
import { type Address, Failure, getFrom, hourSeconds, rawToDecimal, startOfHour, usdAlong } from '@chainboard/core'
import type { Chain, Header } from '../chain/chain.ts'
import { noAddress, readContract } from '../chain/readContract.ts'
import type { ReplayEvent } from '../indexer/replayWorld.ts'
import type { Valuation } from '../indexer/world.ts'
import { toHourDollars, toHourPrices } from '../market/figures/hourFigures.ts'
import { toSwapSpan } from '../market/figures/swapSpan.ts'
import { compare } from './compareFields.ts'
import type { Difference } from './judge.ts'
import { listPools, readDecimals, toAddress } from './listPools.ts'
import { type Choice, listStated } from './readChoice.ts'
import { findBlockAt } from './readMedian.ts'
import { type Asking, readPoolEvents } from './readPoolEvents.ts'
import type { SiteClaim } from './readSite.ts'
import { readFirstSwap } from './readSwapTimes.ts'
import { type KnownPool, type PoolReplay, replayPools } from './replayPools.ts'

/** What the price of a figure's receipt was checked with. */
export type Checked = Pick<SiteClaim, 'listed'> & { readonly rules: Valuation; readonly last: Header; readonly choice: Choice }

/** A figure and its part of the receipt as the node's answers give them, and what else is wrong; or why it cannot be told. */
export type Made =
  | (Partial<Pick<FigureReceipt, 'change' | 'volume' | 'candle' | 'marketCap'>> & {
      readonly value: string | undefined
      readonly differences?: readonly Difference[]
    })
  | { readonly problem: string }

const daySeconds = 86_400

/** Works a day's volume out again: each swap of the token's pools, in dollars by the prices of its own block. */
export async function makeVolume(
  asking: Asking,
  receipt: FigureReceipt,
  { volume, ...checked }: Checked & { readonly volume: FigureSpan },
): Promise<Made> {
  const toSeconds = checked.last.timestampSeconds
  const span = { fromSeconds: toSeconds - daySeconds, toSeconds }
  const made = await makeSpan(asking, receipt, { ...checked, stated: volume, span })
  if ('problem' in made) return made
  const leftOut = await findLeftOut(asking, receipt, { ...checked, stated: volume, span })
  const own = made.span.pools.flatMap(({ pool, token0, token1 }) =>
    [token0, token1].some((token) => toAddress(token) === toAddress(receipt.token))
      ? []
      : [{ what: `pool ${pool}`, served: `a pool of ${receipt.symbol}`, found: 'a pool of other tokens' }],
  )
  const { differences, totalE18 } = made
  return { value: rawToDecimal(totalE18, 18), volume: made.span, differences: [...differences, ...own, ...leftOut] }
}

/** Works an hour's candle out again: prices of the pool that weighs most, and its swaps. */
export async function makeCandle(
  asking: Asking,
  receipt: FigureReceipt,
  { candle, ...checked }: Checked & { readonly candle: NonNullable<FigureReceipt['candle']> },
): Promise<Made> {
  const startSeconds = startOfHour(candle.startSeconds)
  const route = checked.choice.found.get(toAddress(receipt.token))?.route ?? []
  const hop = route[0]
  if (!hop) return { problem: 'The receipt is for a token without a pool' }
  if (candle.startSeconds !== startSeconds)
    return { value: undefined, differences: compare('candle.startSeconds', `${candle.startSeconds}`, `${startSeconds}`) }
  const toSeconds = Math.min(startSeconds + hourSeconds - 1, checked.last.timestampSeconds)
  const made = await makeSpan(asking, receipt, {
    ...checked,
    stated: candle.span,
    span: { fromSeconds: startSeconds - 1, toSeconds },
  })
  if ('problem' in made) return made
  const { replay, span, differences, totalE18 } = made
  const priceAt = (pool: Address, seconds: number) => toPriceAt(replay, pool, seconds)
  const events = (replay.events.get(hop.pool) ?? []).filter(isIn(span))
  const prices = toHourPrices(events, priceAt(hop.pool, startSeconds - 1))
  const closeUsdE18 = usdAlong(route, (pool) => priceAt(pool, toSeconds))
  if (!prices || closeUsdE18 === undefined) return { value: undefined, differences }
  const usd = toHourDollars(hop, prices, closeUsdE18)
  return {
    value: rawToDecimal(totalE18, 18),
    candle: {
      startSeconds,
      ...{ open: rawToDecimal(usd.open, 18), high: rawToDecimal(usd.high, 18) },
      ...{ low: rawToDecimal(usd.low, 18), close: rawToDecimal(usd.close, 18) },
      ...{ openX96: String(prices.open), highX96: String(prices.high), lowX96: String(prices.low) },
      closesX96: route.map(({ pool }) => String(priceAt(pool, toSeconds))),
      span,
    },
    differences: [
      ...differences,
      ...compare('pool of the candle', candle.span.pools.map(({ pool }) => pool).join(', '), hop.pool),
    ],
  }
}

type Span = { readonly fromSeconds: number; readonly toSeconds: number }
type SpanClaim = Checked & { readonly stated: FigureSpan; readonly span: Span }
type MadeSpan =
  | { readonly problem: string }
  | {
      readonly span: FigureSpan
      readonly differences: readonly Difference[]
      readonly totalE18: bigint
      readonly replay: PoolReplay
    }

/** The pools of the span as the chain has them, and their swaps. */
async function makeSpan(
  asking: Asking,
  { price }: FigureReceipt,
  { rules, last, choice, stated, span }: SpanClaim,
): Promise<MadeSpan> {
  const { chain } = asking
  if (!stated.pricing)
    return { problem: 'The token is priced by more pools than the receipt lists: its dollars cannot be recomputed' }
  const { facts, foreign } = await readPoolFacts(chain, [...stated.pools, ...stated.pricing], {
    factory: toAddress(price.factory),
    block: last.number,
  })
  const pools = joinPools([...facts.values()], listStated(price))
  const decimals = await readDecimals(
    chain,
    pools.flatMap(({ token0, token1 }) => [token0, token1]),
    last.number,
  )
  // Routes are found as an hour begins, over the window before it.
  const before = await findBlockAt(chain, last, startOfHour(span.fromSeconds + 1) - rules.windowSeconds)
  const end = (await findBlockAt(chain, last, span.toSeconds)) ?? last
  const request = { pools, decimals, valuation: rules, before }
  const replay = await replayPools(asking, { ...request, last: end }).catch((error: unknown) => {
    // The state of the span's end is gone: that of the receipt's block does, with the logs in between.
    if (!(error instanceof Failure) || error.code !== 'rpc-refused' || end.number === last.number) throw error
    return replayPools(asking, { ...request, last })
  })
  const toPool = async (address: Address): Promise<FigurePool> => {
    const pool = getFrom(facts, address)
    const events = replay.events.get(address) ?? []
    const first = await readFirstSwap(asking, { pool: address, events, last, stated: pool.firstSwapAtSeconds })
    const [decimals0 = null, decimals1 = null] = [decimals.get(pool.token0), decimals.get(pool.token1)]
    const { token0, token1, fee } = pool
    return { pool: address, token0, token1, fee, decimals0, decimals1, firstSwapAt: first ?? null }
  }
  const made: FigureSpan = { ...span, pools: [], pricing: [] }
  let totalE18 = 0n
  for (const address of listAddresses(stated.pools)) {
    const swaps = (replay.events.get(address) ?? []).filter(isIn(span)).filter((event) => event.kind === 'swap')
    const { volume0, volume1, ...sums } = toSwapSpan(swaps)
    const usdE18 = swaps.reduce((sum, swap) => sum + replay.valueOf(swap), 0n)
    totalE18 += usdE18
    const volumes = { volume0: String(volume0), volume1: String(volume1), volumeUsd: rawToDecimal(usdE18, 18) }
    made.pools.push({ ...(await toPool(address)), ...sums, ...volumes })
  }
  for (const address of listAddresses(stated.pricing)) made.pricing?.push(await toPool(address))
  const leftOut = findUnpriced(price, choice, made)
  return { span: made, differences: [...foreign, ...leftOut], totalE18, replay }
}

function listAddresses(pools: readonly FigurePool[]): Address[] {
  return [...new Set(pools.map(({ pool }) => toAddress(pool)))]
}

/**
 * Pools that price the token, or one that it is priced in, and that the receipt does not name among those that made its dollars: all
 * between two of these tokens do, once somebody traded. Pools that price the other tokens of its pools are not looked for. Pure.
 */
function findUnpriced({ steps }: Receipt, { book }: Choice, { pools, pricing }: FigureSpan): Difference[] {
  if (pools.length === 0) return []
  const hops = steps.flatMap((step) => step.pools)
  const tokens = new Set([...hops.flatMap(({ base, quote }) => [toAddress(base), toAddress(quote)]), ...book.routes.stables])
  const known = new Set((pricing ?? []).map(({ pool }) => toAddress(pool)))
  return book.pools
    .filter(({ address, token0, token1 }) => !known.has(address) && tokens.has(token0) && tokens.has(token1))
    .map(({ address }) => ({ what: 'pricing', served: `nothing of ${address}`, found: 'that it was left out' }))
}

function isIn({ fromSeconds, toSeconds }: Span) {
  return ({ timestampSeconds }: ReplayEvent) => timestampSeconds > fromSeconds && timestampSeconds <= toSeconds
}

/** A pool's price at a moment that the replay covers; 0 when it had none. */
function toPriceAt({ events, startPrices }: PoolReplay, pool: Address, seconds: number): bigint {
  const last = (events.get(pool) ?? []).findLast(
    (event) => (event.kind === 'swap' || event.kind === 'initialize') && event.timestampSeconds <= seconds,
  )
  return last?.kind === 'swap' || last?.kind === 'initialize' ? last.sqrtPriceX96 : (startPrices.get(pool) ?? 0n)
}

function joinPools(...lists: readonly (readonly KnownPool[])[]): KnownPool[] {
  return [...new Map(lists.flat().map((pool) => [pool.address, pool])).values()]
}

type PoolFacts = { readonly facts: ReadonlyMap<Address, KnownPool>; readonly foreign: readonly Difference[] }

/** What the contracts of pools say of themselves, and which of them the factory does not name so. The first trade is as stated. */
async function readPoolFacts(
  chain: Chain,
  stated: readonly FigurePool[],
  { factory, block }: { readonly factory: Address; readonly block: number },
): Promise<PoolFacts> {
  const facts = new Map<Address, KnownPool>()
  const foreign: Difference[] = []
  for (const pool of stated) {
    const to = toAddress(pool.pool)
    if (facts.has(to)) continue
    const [token0 = noAddress, token1 = noAddress, fee = 0] = await Promise.all([
      readContract(chain, { to, name: 'token0', block }),
      readContract(chain, { to, name: 'token1', block }),
      readContract(chain, { to, name: 'fee', block }),
    ])
    const named = await readContract(chain, { to: factory, name: 'getPool', args: [token0, token1, fee], block })
    foreign.push(...compare(`factory's pool of fee ${fee}`, to, named ?? 'none'))
    facts.set(to, { address: to, token0, token1, fee, firstSwapAtSeconds: pool.firstSwapAt ?? undefined })
  }
  return { facts, foreign }
}

/** Pools of the token in which somebody traded in the span, and that the receipt does not name. */
async function findLeftOut(
  asking: Asking,
  { token, price }: FigureReceipt,
  { rules, last, stated, span }: SpanClaim,
): Promise<Difference[]> {
  const known = new Set(stated.pools.map(({ pool }) => toAddress(pool)))
  const all = [...stated.pools, ...(stated.pricing ?? [])]
  const quotes = [
    ...rules.stables,
    rules.wrappedNative,
    ...rules.quotes,
    ...all.flatMap(({ token0, token1 }) => [toAddress(token0), toAddress(token1)]),
  ]
  const request = { factory: toAddress(price.factory), block: last.number, bases: [toAddress(token)], quotes }
  const pools = await listPools(asking.chain, { ...request, fees: all.map(({ fee }) => fee) })
  const before = await findBlockAt(asking.chain, last, span.fromSeconds)
  const differences: Difference[] = []
  for (const { address } of pools) {
    if (known.has(address)) continue
    const events = await readPoolEvents(asking, address, { from: (before?.number ?? -1) + 1, to: last.number })
    const count = events.filter(({ kind }) => kind === 'swap').length
    if (count > 0) differences.push({ what: `pool ${address}`, served: 'nothing of it', found: `${count} swaps in it` })
  }
  return differences
}
