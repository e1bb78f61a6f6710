import { setImmediate } from 'node:timers/promises'
import { type Address, oneE18, tenTo, twoSidedDepth } from '@chainboard/core'
import type { IndexReader } from '../store/indexSwitch.ts'
import { listPoolDepths } from '../store/poolDepths.ts'
import { listMarketPools, type PoolOfMarket } from '../store/pools.ts'
import { listTokenPrices } from '../store/tokens.ts'
import { inTurns, mapSteps } from './inTurns.ts'

/** A side of a pool. `usdE18` is US dollars per whole token x 10^18; undefined without a price. */
export type BoardToken = {
  readonly address: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number | undefined
  readonly isListed: boolean
  readonly usdE18: bigint | undefined
}

/** An open pool with what it holds and trades, in US dollars x 10^18; undefined is not known. */
export type BoardPool = Omit<PoolOfMarket, 'token0' | 'token1'> & {
  readonly token0: BoardToken
  readonly token1: BoardToken
  readonly liquidityUsdE18: bigint | undefined
  readonly volume24hUsdE18: bigint | undefined
}

export type PoolBoard = {
  /** In no order. */
  readonly pools: readonly BoardPool[]
  readonly byAddress: ReadonlyMap<Address, BoardPool>
}

export type BoardPrices = {
  /** What the site says that a listed token costs. `undefined`: not listed; `usdE18` undefined: without a price. */
  readonly findListed: (token: Address) => { readonly usdE18: bigint | undefined } | undefined
  /** Tokens that the network prices others in. */
  readonly quotes: ReadonlySet<Address>
  /** Traded in 24 hours by each pool; undefined while not all of them are read. */
  readonly volumes: ReadonlyMap<Address, bigint> | undefined
}

/** Every open pool of the index, at its newest block. */
export async function readPoolBoard(index: IndexReader, prices: BoardPrices): Promise<PoolBoard> {
  const { rows, found } = await index.use(({ store }) =>
    store.readConsistently(async (tx) => ({ rows: await listTokenPrices(tx), found: await listMarketPools(tx) })),
  )
  const known = new Map(rows.map((row) => [row.address, row]))
  const toToken = (address: Address): BoardToken => {
    const { symbol = '', name = '', decimals, priceUsdE18 = 0n } = known.get(address) ?? {}
    const listed = prices.findListed(address)
    const usdE18 = listed?.usdE18 ?? (priceUsdE18 > 0n ? priceUsdE18 : undefined)
    return { address, symbol, name, decimals, isListed: listed !== undefined, usdE18 }
  }
  await setImmediate()
  // All at once: prices of one block.
  const tokens = new Map([...known.keys()].map((address) => [address, toToken(address)]))
  const tokenOf = (address: Address) => tokens.get(address) ?? toToken(address)
  const toPool = (pool: PoolOfMarket): BoardPool => {
    const sides = { token0: tokenOf(pool.token0), token1: tokenOf(pool.token1) }
    const volume24hUsdE18 = prices.volumes && (prices.volumes.get(pool.address) ?? 0n)
    return { ...pool, ...sides, liquidityUsdE18: valueLiquidity({ ...pool, ...sides }, prices.quotes), volume24hUsdE18 }
  }
  const pools = await inTurns(mapSteps(found, toPool))
  return { pools, byAddress: new Map(pools.map((pool) => [pool.address, pool])) }
}

type Sides = Pick<BoardPool, 'token0' | 'token1' | 'reserve0' | 'reserve1'>

/**
 * What a pool holds. A token that nobody lists counts no more than what it is paired with: whoever makes a token may name any price for
 * it. Pure. @returns undefined for a pool of two such tokens
 */
export function valueLiquidity({ token0, token1, reserve0, reserve1 }: Sides, quotes: ReadonlySet<Address>): bigint | undefined {
  const [value0, value1] = [usdOf(token0, reserve0), usdOf(token1, reserve1)]
  const [isSound0, isSound1] = [token0, token1].map(({ isListed, address }) => isListed || quotes.has(address))
  if (isSound0 && isSound1) return value0 === undefined && value1 === undefined ? undefined : (value0 ?? 0n) + (value1 ?? 0n)
  if (isSound0) return value0 === undefined ? undefined : value0 + least(value1 ?? 0n, value0)
  if (isSound1) return value1 === undefined ? undefined : value1 + least(value0 ?? 0n, value1)
  return undefined
}

/** US dollars x 10^18 of an amount in smallest units; what events took without bringing it is nothing. */
export function usdOf({ usdE18, decimals }: Pick<BoardToken, 'usdE18' | 'decimals'>, raw: bigint): bigint | undefined {
  if (usdE18 === undefined || decimals === undefined) return undefined
  return raw > 0n ? (raw * usdE18) / tenTo(decimals) : 0n
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** What pools can be sorted by, the largest or newest first. */
export const poolSorts = ['liquidity', 'volume', 'new'] as const
export type PoolSort = (typeof poolSorts)[number]

export type PoolQuery = {
  readonly token?: Address | undefined
  /** Part of a symbol, a name or an address, in whatever case. */
  readonly search?: string | undefined
  readonly sort?: PoolSort | undefined
  readonly page: number
  readonly pageSize: number
}

/** The pools of a page, and how many there are. Pure. */
export function pickPools(board: PoolBoard, { token, search, sort = 'liquidity', page, pageSize }: PoolQuery) {
  const needle = search?.trim().toLowerCase() ?? ''
  const found = board.pools.filter(
    (pool) => (token === undefined || pool.token0.address === token || pool.token1.address === token) && names(pool, needle),
  )
  const figureOf = (pool: BoardPool): bigint =>
    sort === 'new'
      ? BigInt(pool.firstSwapAtSeconds ?? 0)
      : ((sort === 'volume' ? pool.volume24hUsdE18 : pool.liquidityUsdE18) ?? -1n)
  const sorted = found
    .map((pool) => ({ pool, figure: figureOf(pool) }))
    .sort((a, b) => (a.figure === b.figure ? (a.pool.address < b.pool.address ? -1 : 1) : a.figure > b.figure ? -1 : 1))
  const liquidityUsdE18 = found.reduce((sum, pool) => sum + (pool.liquidityUsdE18 ?? 0n), 0n)
  const start = (page - 1) * pageSize
  return { pools: sorted.slice(start, start + pageSize).map(({ pool }) => pool), total: found.length, liquidityUsdE18 }
}

function names({ address, token0, token1 }: BoardPool, needle: string): boolean {
  if (needle === '') return true
  return [address, ...[token0, token1].flatMap(({ symbol, name, address: own }) => [symbol, name, own])].some((text) =>
    text.toLowerCase().includes(needle),
  )
}

/** What trades within 2 % of a pool's price, in US dollars x 10^18: buying token0 up to there, and selling it down. */
export type DepthInUsd = { readonly upUsdE18: bigint; readonly downUsdE18: bigint }

/** Of each pool one of whose tokens has a price. */
export async function readDepths(index: IndexReader, pools: readonly BoardPool[]): Promise<ReadonlyMap<Address, DepthInUsd>> {
  const addresses = pools.map(({ address }) => address)
  const found = await index.use(({ store }) => store.readConsistently((tx) => listPoolDepths(tx, addresses)))
  const depths = new Map<Address, DepthInUsd>()
  for (const { address, pool, ticks } of found) {
    const own = pools.find((each) => each.address === address)
    if (!own) continue
    const { up, down } = twoSidedDepth(pool, ticks)
    const inUsd = ({ amount0, amount1 }: typeof up) => usdOf(own.token1, amount1) ?? usdOf(own.token0, amount0)
    const [upUsdE18, downUsdE18] = [inUsd(up), inUsd(down)]
    if (upUsdE18 !== undefined && downUsdE18 !== undefined) depths.set(address, { upUsdE18, downUsdE18 })
  }
  return depths
}

/** Whole token1 per whole token0 x 10^18; undefined where decimals are not known. */
export function priceOfToken0({ sqrtPriceX96, token0, token1 }: BoardPool): bigint | undefined {
  if (token0.decimals === undefined || token1.decimals === undefined) return undefined
  return (sqrtPriceX96 * sqrtPriceX96 * tenTo(token0.decimals) * oneE18) / (tenTo(token1.decimals) << 192n)
}
