import { type Address, Failure, hourSeconds, rawToDecimal, startOfHour, usdAlong } from '@chainboard/core'
import { readContract } from '../chain/readContract.ts'
import type { ReplayEvent } from '../indexer/replayWorld.ts'
import type { FigurePool, FigureReceipt, FigureSpan } from '../market/figures/figureReceipt.ts'
import { toHourDollars, toHourPrices } from '../market/figures/hourFigures.ts'
import { toSwapSpan } from '../market/figures/swapSpan.ts'
import type { Checked, FigureCheck } from './checkFigure.ts'
import type { Difference } from './judge.ts'
import { compare } from './judgeChoice.ts'
import { listPools, readDecimals, toAddress } from './listPools.ts'
import { listStated } from './readChoice.ts'
import { findBlockAt } from './readMedian.ts'
import { type Asking, readPoolEvents } from './readPoolEvents.ts'
import { type KnownPool, type PoolReplay, replayPools } from './replayPools.ts'

const daySeconds = 86_400

/** Works a day's volume out again: each swap of the token's pools, in dollars by the prices of its own block. */
export async function checkVolume(
  asking: Asking,
  receipt: FigureReceipt,
  { volume, ...checked }: Checked & { readonly volume: FigureSpan },
): Promise<FigureCheck> {
  const toSeconds = checked.last.timestampSeconds
  const span = { fromSeconds: toSeconds - daySeconds, toSeconds }
  const check = await checkSpan(asking, receipt, { ...checked, stated: volume, span })
  if ('problem' in check) return check
  const leftOut = await findLeftOut(asking, receipt, { ...checked, stated: volume, span })
  const own = volume.pools.flatMap(({ pool, token0, token1 }) =>
    [token0, token1].some((token) => toAddress(token) === toAddress(receipt.token))
      ? []
      : [{ what: `pool ${pool}`, served: `a pool of ${receipt.symbol}`, found: 'one of other tokens' }],
  )
  return { found: rawToDecimal(check.totalE18, 18), differences: [...check.differences, ...own, ...leftOut] }
}

/** Works an hour's candle out again: prices of the pool that weighs most, and its swaps. */
export async function checkCandle(
  asking: Asking,
  receipt: FigureReceipt,
  { candle, ...checked }: Checked & { readonly candle: NonNullable<FigureReceipt['candle']> },
): Promise<FigureCheck> {
  const { startSeconds } = candle
  const route = checked.choice.found.get(toAddress(receipt.token))?.route ?? []
  const hop = route[0]
  if (!hop || startSeconds !== startOfHour(startSeconds))
    return { problem: 'The receipt is of no hour, or of a token without a pool' }
  const toSeconds = Math.min(startSeconds + hourSeconds - 1, checked.last.timestampSeconds)
  const span = { fromSeconds: startSeconds - 1, toSeconds }
  const check = await checkSpan(asking, receipt, { ...checked, stated: candle.span, span })
  if ('problem' in check) return check
  const { replay } = check
  const priceAt = (pool: Address, seconds: number) => toPriceAt(replay, pool, seconds)
  const events = (replay.events.get(hop.pool) ?? []).filter(isIn(span))
  const prices = toHourPrices(events, priceAt(hop.pool, startSeconds - 1))
  const closeUsdE18 = usdAlong(route, (pool) => priceAt(pool, toSeconds))
  if (!prices || closeUsdE18 === undefined) return { problem: 'The node has no trade in that hour' }
  const usd = toHourDollars(hop, prices, closeUsdE18)
  const differences = [
    ...compare('pool of the candle', candle.span.pools.map(({ pool }) => pool).join(', '), hop.pool),
    ...compare('openX96', candle.openX96, String(prices.open)),
    ...compare('highX96', candle.highX96, String(prices.high)),
    ...compare('lowX96', candle.lowX96, String(prices.low)),
    ...route.flatMap(({ pool }, i) =>
      compare(`closesX96 of ${pool}`, candle.closesX96[i] ?? 'none', String(priceAt(pool, toSeconds))),
    ),
    ...(['open', 'high', 'low', 'close'] as const).flatMap((name) => compare(name, candle[name], rawToDecimal(usd[name], 18))),
  ]
  return { found: rawToDecimal(check.totalE18, 18), differences: [...check.differences, ...differences] }
}

type Span = { readonly fromSeconds: number; readonly toSeconds: number }
type SpanClaim = Checked & { readonly stated: FigureSpan; readonly span: Span }
type SpanCheck =
  | { readonly problem: string }
  | { readonly differences: readonly Difference[]; readonly totalE18: bigint; readonly replay: PoolReplay }

async function checkSpan(asking: Asking, { price }: FigureReceipt, { rules, last, stated, span }: SpanClaim): Promise<SpanCheck> {
  const { chain } = asking
  if (!stated.pricing)
    return { problem: 'The token is priced by more pools than the receipt lists: its dollars cannot be worked out again' }
  // Routes are found as an hour begins, over the window before it.
  const start = startOfHour(span.fromSeconds + 1) - rules.windowSeconds
  const before = await findBlockAt(chain, last, start)
  const pools = joinPools([...stated.pools, ...stated.pricing].map(toKnown), listStated(price))
  const decimals = await readDecimals(
    chain,
    pools.flatMap(({ token0, token1 }) => [token0, token1]),
    last.number,
  )
  const end = (await findBlockAt(chain, last, span.toSeconds)) ?? last
  const request = { pools, decimals, valuation: rules, before }
  const replay = await replayPools(asking, { ...request, last: end }).catch((error: unknown) => {
    // The state of the span's end is gone: that of the receipt's block does, with the logs in between.
    if (!(error instanceof Failure) || error.code !== 'rpc-refused' || end.number === last.number) throw error
    return replayPools(asking, { ...request, last })
  })
  const foreign = await findForeign(asking, pools, { factory: toAddress(price.factory), block: last.number })
  const differences: Difference[] = [
    ...compare('fromSeconds', String(stated.fromSeconds), String(span.fromSeconds)),
    ...compare('toSeconds', String(stated.toSeconds), String(span.toSeconds)),
    ...foreign,
  ]
  let totalE18 = 0n
  for (const pool of stated.pools) {
    const swaps = (replay.events.get(toAddress(pool.pool)) ?? []).filter(isIn(span)).filter((event) => event.kind === 'swap')
    const { checksum, ...sums } = toSwapSpan(swaps)
    const usdE18 = swaps.reduce((sum, swap) => sum + replay.valueOf(swap), 0n)
    totalE18 += usdE18
    differences.push(
      ...compare(`swaps of ${pool.pool}`, String(pool.swaps), String(sums.swaps)),
      ...compare(`volume0 of ${pool.pool}`, pool.volume0, String(sums.volume0)),
      ...compare(`volume1 of ${pool.pool}`, pool.volume1, String(sums.volume1)),
      ...compare(`checksum of ${pool.pool}`, pool.checksum, checksum),
      ...compare(`volumeUsd of ${pool.pool}`, pool.volumeUsd, rawToDecimal(usdE18, 18)),
    )
  }
  return { differences, totalE18, replay }
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

function toKnown({ pool, token0, token1, fee, firstSwapAt }: FigurePool): KnownPool {
  const tokens = { token0: toAddress(token0), token1: toAddress(token1) }
  return { address: toAddress(pool), ...tokens, fee, firstSwapAtSeconds: firstSwapAt ?? undefined }
}

function joinPools(...lists: readonly (readonly KnownPool[])[]): KnownPool[] {
  return [...new Map(lists.flat().map((pool) => [pool.address, pool])).values()]
}

/** Those that the factory does not name so. */
async function findForeign(
  { chain }: Asking,
  pools: readonly KnownPool[],
  { factory, block }: { readonly factory: Address; readonly block: number },
): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const { address, token0, token1, fee } of pools) {
    const named = await readContract(chain, { to: factory, name: 'getPool', args: [token0, token1, fee], block })
    differences.push(...compare(`factory's pool of fee ${fee}`, address, named ?? 'none'))
  }
  return differences
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
