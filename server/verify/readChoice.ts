import {
  type Address,
  type BoundPool,
  boundPrices,
  decimalToE18,
  findRoutes,
  isEstablished,
  type PriceBounds,
  type PricedToken,
} from '@chainboard/core'
import type { Header } from '../chain/chain.ts'
import { weighPool } from '../indexer/poolWindows.ts'
import type { Valuation } from '../indexer/world.ts'
import type { Receipt } from '../market/receipt.ts'
import { listPools, readDecimals, toAddress } from './listPools.ts'
import { findBlockAt, readBackToPrice, type WindowBlocks } from './readMedian.ts'
import { type Asking, readPoolEvents } from './readPoolEvents.ts'
import { type KnownPool, replayPools } from './replayPools.ts'

/** So long after its first swap a pool is established. */
const establishedSeconds = 3_600

/** What the node's pools say of the choice that a receipt made, by the rules that it states. */
export type Choice = {
  /** Prices out of all pools that were found. */
  readonly found: ReadonlyMap<Address, PricedToken>
  readonly bounds: ReadonlyMap<Address, PriceBounds>
  readonly pools: ReadonlyMap<Address, BoundPool>
  /** Pools of the receipt whose first swap is not where it says; by address. */
  readonly unproven: ReadonlySet<Address>
}

/** The rules of a receipt that rests on pools of an index; undefined when it states none. */
export function toRules({ method, windowSeconds }: Receipt): Valuation | undefined {
  if (!method || windowSeconds === null) return undefined
  const depthFloorUsdE18 = decimalToE18(method.depthFloorUsd) ?? 0n
  return {
    stables: method.stables.map(toAddress),
    wrappedNative: toAddress(method.wrappedNative),
    quotes: method.quotes.map(toAddress),
    depthFloorUsdE18,
    windowSeconds,
  }
}

/**
 * Reads every pool of the receipt, and every other pool of the factory between its tokens, its dollars and the wrapped coin: what they
 * went through in the window. Then prices are found among all of them, as the index finds them.
 * @throws Failure `rpc-…` as the node does
 */
export async function readChoice(
  asking: Asking,
  receipt: Receipt,
  { rules, window }: { readonly rules: Valuation; readonly window: WindowBlocks },
): Promise<Choice> {
  const { last, before } = window
  const hourAgo = await findBlockAt(asking.chain, last, last.timestampSeconds - establishedSeconds)
  const stated = listStated(receipt)
  const candidates = await listCandidates(asking, receipt, { rules, block: last.number })
  const known = new Map<Address, KnownPool>([...stated, ...candidates].map((pool) => [pool.address, pool]))
  const pools = [...known.values()]
  const decimals = await readDecimals(
    asking.chain,
    pools.flatMap(({ token0, token1 }) => [token0, token1]),
    last.number,
  )
  const { world } = await replayPools(asking, { pools, decimals, valuation: rules, before, last })
  const unproven = new Set<Address>()
  const bound = new Map<Address, BoundPool>()
  for (const { address, firstSwapAtSeconds: first } of pools) {
    const pool = world.pools.get(address)
    if (!pool || pool.tick === undefined) continue
    const moment = weighPool(world.windows, pool, { nowSeconds: last.timestampSeconds, windowSeconds: rules.windowSeconds })
    const isEmpty = moment.depth0 === 0n && moment.depth1 === 0n
    const isOld = !isEmpty && hourAgo !== undefined && (await hadTraded(asking, address, { by: hourAgo, first }))
    if (stated.some((one) => one.address === address) && isOld !== isEstablished(first, last.timestampSeconds))
      unproven.add(address)
    bound.set(address, { ...pool, window: moment, isEstablished: isOld })
  }
  const { found } = findRoutes({ pools: [...bound.values()], decimals, ...rules })
  return { found, bounds: boundPrices({ found, pools: bound, recent: new Map() }), pools: bound, unproven }
}

/** The pools that a receipt names. */
export function listStated({ steps }: Receipt): KnownPool[] {
  const hops = steps.flatMap(({ pools }) => pools)
  const pools = hops.map(({ pool, base, quote, baseIsToken0, fee, firstSwapAt }) => {
    const [token0, token1] = baseIsToken0 ? [base, quote] : [quote, base]
    const tokens = { token0: toAddress(token0), token1: toAddress(token1) }
    return { address: toAddress(pool), ...tokens, fee, firstSwapAtSeconds: firstSwapAt ?? undefined }
  })
  return [...new Map(pools.map((pool) => [pool.address, pool])).values()]
}

/** Pools that the receipt does not name and that could count by its rules, as far as the factory tells. */
async function listCandidates(
  { chain }: Asking,
  receipt: Receipt,
  { rules, block }: { readonly rules: Valuation; readonly block: number },
): Promise<KnownPool[]> {
  const tokens = receipt.steps.map(({ token }) => toAddress(token))
  const quotes = [...rules.stables, rules.wrappedNative, ...rules.quotes, ...tokens]
  // An index of listed tokens' pools need not have those between two others: the receipt's own token is listed.
  const bases = receipt.method?.pools === 'listed' ? tokens.slice(0, 1) : [...tokens, rules.wrappedNative, ...rules.stables]
  const stated = new Set(listStated(receipt).map(({ address }) => address))
  const fees = receipt.steps.flatMap(({ pools }) => pools.map(({ fee }) => fee))
  const pools = await listPools(chain, { factory: toAddress(receipt.factory), block, bases, quotes, fees })
  return pools.filter(({ address }) => !stated.has(address)).map((pool) => ({ ...pool, firstSwapAtSeconds: undefined }))
}

type Trading = { readonly by: Header; readonly first: number | undefined }

/** Whether a pool had traded by a block: at the time that is told, else as far back as logs are looked through. */
async function hadTraded(asking: Asking, pool: Address, { by, first }: Trading): Promise<boolean> {
  if (first !== undefined && first <= by.timestampSeconds) {
    const block = await findBlockAt(asking.chain, by, first)
    if (block?.timestampSeconds !== first) return false
    const events = await readPoolEvents(asking, pool, { from: block.number, to: block.number })
    return events.some(({ kind }) => kind === 'swap')
  }
  return ((await readBackToPrice(asking, pool, by.number)) ?? []).some(({ kind }) => kind === 'swap')
}
