import type { Receipt, WirePool } from '@chainboard/contract'
import {
  formatDate,
  formatFeeTier,
  formatMoney,
  formatRelativeTime,
  formatUsdPrice,
  isSameHex,
  shortenAddress,
  toDisplayText,
} from '@chainboard/core'

export type ReceiptPool = Receipt['route'][number]

/** A pool that counts, in words and figures. */
export type PoolText = {
  readonly address: string
  /** `WEMB/USDC` */
  readonly pair: string
  readonly fee: string
  /** What it says that the token costs: `$0.8118`. */
  readonly says: string
  readonly depth: string
  /** Percent of the weight of all pools of its step. */
  readonly weightPercent: number
  readonly isOnRoute: boolean
  /** `Last trade 4s before the block, first on Oct 26, 2026` */
  readonly age: string
}

export type StepText = {
  readonly symbol: string
  readonly price: string
  readonly pools: readonly PoolText[]
}

const toSymbol = (symbol: string, address: string) => toDisplayText(symbol, shortenAddress(address), 12)

/** The prices that a price follows from: its own first, each with the pools that make it. */
export function describeSteps({ steps, route, block }: Receipt): StepText[] {
  const onRoute = new Set(route.map(({ pool }) => pool.toLowerCase()))
  return steps.map(({ token, symbol, priceInUsd, pools }) => {
    const whole = pools.reduce((sum, { weightUsd }) => sum + Number(weightUsd), 0)
    return {
      symbol: toSymbol(symbol, token),
      price: formatUsdPrice(Number(priceInUsd)),
      pools: pools.map((pool) => ({
        address: pool.pool,
        pair: `${toSymbol(pool.baseSymbol, pool.base)}/${toSymbol(pool.quoteSymbol, pool.quote)}`,
        fee: formatFeeTier(pool.fee),
        says: formatUsdPrice(Number(pool.usdPrice)),
        depth: formatMoney(Number(pool.depthUsd)),
        weightPercent: whole > 0 ? Math.round((Number(pool.weightUsd) / whole) * 100) : 0,
        isOnRoute: onRoute.has(pool.pool.toLowerCase()),
        age: describeAge(pool, block?.timestamp),
      })),
    }
  })
}

/** What the coin that counts as a dollar calls itself. @returns undefined where no pool of the receipt trades against it */
export function findUsdSymbol({ steps, usd }: Receipt): string | undefined {
  const pool = steps.flatMap(({ pools }) => pools).find(({ quote }) => isSameHex(quote, usd))
  return pool && toSymbol(pool.quoteSymbol, pool.quote)
}

function describeAge({ lastSwapAt, firstSwapAt }: ReceiptPool, atSeconds: number | undefined): string {
  if (lastSwapAt === null || atSeconds === undefined) return 'No trade yet'
  const last = `Last trade ${formatRelativeTime(lastSwapAt, atSeconds).replace(' ago', ' before the block')}`
  return firstSwapAt === null ? last : `${last}, first on ${formatDate(firstSwapAt)}`
}

const hourSeconds = 3_600

/** A pool that does not count, and the first fact that speaks against it. */
export type LeftOut = { readonly address: string; readonly pair: string; readonly fee: string; readonly why: string }

/** Pools of the receipt's token that it leaves out. @param pools as the site lists them */
export function listLeftOut({ steps, method, block }: Receipt, pools: readonly WirePool[]): LeftOut[] {
  const counted = new Set(steps.flatMap((step) => step.pools.map(({ pool }) => pool.toLowerCase())))
  const floorUsd = Number(method?.depthFloorUsd ?? 0)
  return pools
    .filter(({ address }) => !counted.has(address.toLowerCase()))
    .map((pool) => ({
      address: pool.address,
      pair: `${toSymbol(pool.token0.symbol, pool.token0.address)}/${toSymbol(pool.token1.symbol, pool.token1.address)}`,
      fee: formatFeeTier(pool.fee),
      why: whyLeftOut(pool, floorUsd, block?.timestamp),
    }))
}

function whyLeftOut({ depth, firstSwapAt }: WirePool, floorUsd: number, atSeconds: number | undefined): string {
  if (firstSwapAt === null) return 'It has never traded'
  if (!depth) return 'Its other token has no price'
  if (Math.min(depth.upUsd, depth.downUsd) < floorUsd) return `Its depth is under ${formatMoney(floorUsd)}`
  if (atSeconds !== undefined && atSeconds - firstSwapAt < hourSeconds) return 'It is younger than an hour'
  return 'The rules exclude it'
}
