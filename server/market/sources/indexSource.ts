import {
  type Address,
  daySeconds,
  findRoutes,
  hourSeconds,
  isEstablished,
  type RouteRules,
  startOfHour,
  weighWindow,
} from '@chainboard/core'
import { listMediansAt } from '../../store/pastMedians.ts'
import { listSpansAfter } from '../../store/poolSpans.ts'
import { listLivePools } from '../../store/pools.ts'
import type { Store, Tx } from '../../store/store.ts'
import { type BlockRef, findCursor } from '../../store/syncCursor.ts'
import { listTokenHoursIn, type TokenPeriod } from '../../store/tokenPeriods.ts'
import { listAllTokens } from '../../store/tokens.ts'
import { answerFromPools, type PoolBook, type RecentRange } from '../answerFromPools.ts'
import type { PriceSource, SourceReading } from '../source.ts'
import type { ListedToken } from '../tokenList.ts'
import { readPoolVolumes } from '../tradedVolume.ts'

export type IndexSourceOptions = RouteRules & {
  readonly windowSeconds: number
}

/** Prices from our own index, at the last block in it. */
export function createIndexSource(store: Store, options: IndexSourceOptions): PriceSource {
  return { name: 'index', read: (tokens) => store.readConsistently((tx) => readIndex(tx, tokens, options)) }
}

async function readIndex(tx: Tx, tokens: readonly ListedToken[], options: IndexSourceOptions): Promise<SourceReading> {
  const atBlock = (await findCursor(tx))?.block
  if (atBlock) return answerFromPools(await readBook(tx, { ...options, atBlock }), tokens)
  const nothing = { kind: 'unpriced', reasons: ['The index is empty so far'], displayPool: undefined } as const
  return { atBlock: undefined, answers: new Map(tokens.map(({ id }) => [id, nothing])) }
}

/** The running hour and the one before. */
function lastTwoHours(nowSeconds: number) {
  return { fromSeconds: startOfHour(nowSeconds) - hourSeconds, toSeconds: nowSeconds + 1 }
}

function toRanges(hours: readonly TokenPeriod[]): ReadonlyMap<Address, RecentRange> {
  const ranges = new Map<Address, RecentRange>()
  for (const { token, low, high, trust } of hours) {
    // Nothing had a price then.
    if (low === 0n) continue
    const { lowE18, highE18, trust: known } = ranges.get(token) ?? { lowE18: low, highE18: high, trust }
    ranges.set(token, {
      lowE18: low < lowE18 ? low : lowE18,
      highE18: high > highE18 ? high : highE18,
      trust: least(known, trust),
    })
  }
  return ranges
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

type BookRequest = IndexSourceOptions & { readonly atBlock: BlockRef }

async function readBook(tx: Tx, { windowSeconds, atBlock, ...valuation }: BookRequest): Promise<PoolBook> {
  const nowSeconds = atBlock.timestampSeconds
  const spans = await listSpansAfter(tx, nowSeconds - windowSeconds)
  const pools = (await listLivePools(tx)).map((pool) => ({
    ...pool,
    window: weighWindow(spans.get(pool.address) ?? [], pool, { nowSeconds, windowSeconds }),
    isEstablished: isEstablished(pool.firstSwapAtSeconds, nowSeconds),
  }))
  // Those that a pool has, which are read anyway: asking for each of a long list by name costs more.
  const rows = await listAllTokens(tx)
  const decimals = new Map(
    rows.flatMap(({ address, decimals }) => (decimals === undefined ? [] : [[address, decimals] as const])),
  )
  const { depthFloorUsdE18 } = valuation
  const routes = findRoutes({ pools, decimals, ...valuation })
  return {
    source: 'index',
    atBlock,
    depthFloorUsdE18,
    pools,
    routes,
    decimals,
    symbols: new Map(rows.map(({ address, symbol }) => [address, symbol])),
    supplies: new Map(rows.map(({ address, totalSupplyRaw }) => [address, totalSupplyRaw])),
    dayAgo: await listMediansAt(tx, { nowSeconds: nowSeconds - daySeconds, windowSeconds }),
    weekAgo: await listMediansAt(tx, { nowSeconds: nowSeconds - 7 * daySeconds, windowSeconds }),
    recentRanges: toRanges(await listTokenHoursIn(tx, lastTwoHours(nowSeconds))),
    volumes: await readPoolVolumes(tx, nowSeconds),
    windowSeconds,
  }
}
