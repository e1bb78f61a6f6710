import { sqrtPriceX96AtTick, tickAtSqrtPrice, tickMax, tickMin } from '@chainboard/core'
import {
  addressOf,
  type Emitted,
  emitBurn,
  emitCollect,
  emitCreated,
  emitFlash,
  emitInitialize,
  emitMint,
  emitSwap,
} from './modelLogs.ts'
import { changeLiquidity, type ModelPool, own, payFees, swapPool } from './modelPool.ts'
import type { Random } from './random.ts'

export type ModelToken = { readonly address: string; readonly symbol: string; readonly decimals: number }

const token = (symbol: string, decimals: number): ModelToken => ({ address: addressOf(`token ${symbol}`), symbol, decimals })
export const usdc = token('USDC', 6)
export const native = token('WETH', 18)
const others = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF'].map((symbol, i) => token(symbol, i % 2 === 0 ? 18 : 8))
/** Its balances grow and shrink by themselves. */
const moving = others[0] as ModelToken
export const modelTokens: ReadonlyMap<string, ModelToken> = new Map([usdc, native, ...others].map((each) => [each.address, each]))

const spacings: Readonly<Record<number, number>> = { 500: 10, 3000: 60, 10000: 200 }

/** What the pools of a block do: the logs, and the pools after it. */
export type Activity = { readonly emitted: readonly Emitted[]; readonly pools: ReadonlyMap<string, ModelPool> }

export function newPool(a: ModelToken, b: ModelToken, fee: number): ModelPool {
  const [token0, token1] = a.address < b.address ? [a, b] : [b, a]
  return {
    address: addressOf(`pool ${token0.symbol} ${token1.symbol} ${fee}`),
    token0: token0.address,
    token1: token1.address,
    fee,
    tickSpacing: spacings[fee] as number,
    sqrtPriceX96: 0n,
    tick: 0,
    liquidity: 0n,
    feeGrowth0X128: 0n,
    feeGrowth1X128: 0n,
    ticks: new Map(),
    positions: new Map(),
    balance0: 0n,
    balance1: 0n,
  }
}

/** Makes a pool at a price, with liquidity over all ticks and around the price. */
export function openPool(factory: string, bare: ModelPool, sqrtPriceX96: bigint, liquidity: bigint, tx: number) {
  const pool = { ...bare, sqrtPriceX96, tick: tickAtSqrtPrice(sqrtPriceX96) }
  const emitted: Emitted[] = [emitCreated(factory, bare, tx), emitInitialize({ pool, tx })]
  let after = pool
  const edge = Math.floor(tickMax / pool.tickSpacing) * pool.tickSpacing
  const middle = Math.floor(pool.tick / pool.tickSpacing) * pool.tickSpacing
  const near = 40 * pool.tickSpacing
  for (const [lower, upper, size] of [
    [-edge, edge, liquidity / 10n],
    [middle - near, middle + near, liquidity],
  ] as const) {
    const { pool: next, amount0, amount1 } = changeLiquidity(after, lower, upper, size)
    emitted.push(emitMint({ pool: next, tx }, { lower, upper, amount0, amount1 }, size))
    after = next
  }
  return { emitted, pool: after }
}

/** The sqrt price at which one whole `base` costs `price` whole `quote`. */
export function priceOf(pool: ModelPool, base: ModelToken, quote: ModelToken, price: number): bigint {
  const raw = price * 10 ** (quote.decimals - base.decimals)
  const tick = Math.round(Math.log(pool.token0 === base.address ? raw : 1 / raw) / Math.log(1.0001))
  return sqrtPriceX96AtTick(Math.max(tickMin, Math.min(tickMax, tick))) + 12_345n
}

/** The first block with pools: the native token in dollars, and a token in the native one. */
export function openMarket(factory: string): Activity {
  const main = newPool(native, usdc, 3_000)
  const side = newPool(others[0] as ModelToken, native, 3_000)
  const first = openPool(factory, main, priceOf(main, native, usdc, 2_000), 10n ** 18n, 0)
  const second = openPool(factory, side, priceOf(side, others[0] as ModelToken, native, 0.01), 10n ** 22n, 1)
  return {
    emitted: [...first.emitted, ...second.emitted],
    pools: new Map([first.pool, second.pool].map((pool) => [pool.address, pool])),
  }
}

type Growth = {
  readonly random: Random
  readonly factory: string
  readonly pools: Pick<ReadonlyMap<string, ModelPool>, 'values'>
  readonly activity: number
  /** Whether there are soon many pools, most of which trade seldom. */
  readonly quiet: boolean
}

/** One block of trading: swaps most of all, and everything else that a pool can do now and then. */
export function growMarket({ random, factory, pools: before, activity, quiet }: Growth): Activity {
  const pools = new Map([...before.values()].map((pool) => [pool.address, pool]))
  const emitted: Emitted[] = []
  // Many blocks are empty, some are full.
  const count = random.chance(0.3) ? 0 : Math.floor(-Math.log(1 - random.next()) * activity)
  for (let tx = 0; tx < Math.min(count, 40); tx += 1) {
    if (random.chance(quiet ? 0.3 : 0.02) && pools.size < 8) {
      const made = createAnother(random, factory, pools, tx)
      if (made) {
        emitted.push(...made.emitted)
        pools.set(made.pool.address, made.pool)
      }
      continue
    }
    const pool = pickPool(random, [...pools.values()], quiet)
    const done = act(random, pool, tx)
    emitted.push(...done.emitted)
    pools.set(pool.address, done.pool)
  }
  if (random.chance(0.05)) emitted.push(strange(random, [...pools.values()][0] as ModelPool, count))
  for (const pool of moveBalances(random.fork('balances'), pools)) pools.set(pool.address, pool)
  return { emitted, pools }
}

function pickPool(random: Random, pools: readonly ModelPool[], quiet: boolean): ModelPool {
  return quiet ? (pools[Math.floor(pools.length * random.next() ** 3)] as ModelPool) : random.pick(pools)
}

function createAnother(random: Random, factory: string, pools: ReadonlyMap<string, ModelPool>, tx: number) {
  const base = random.pick(others)
  const quote = random.chance(0.5) ? native : usdc
  const bare = newPool(base, quote, random.pick([500, 3_000, 10_000]))
  if (pools.has(bare.address)) return undefined
  const price = priceOf(bare, base, quote, quote === usdc ? 20 : 0.01)
  return openPool(factory, bare, price, 10n ** BigInt(random.int(14, 20)), tx)
}

/** Balances that move without an event of the pool: somebody's gift, and a token whose balances grow and shrink by themselves. */
function moveBalances(random: Random, pools: ReadonlyMap<string, ModelPool>): ModelPool[] {
  if (random.chance(0.02)) return [own(random.pick([...pools.values()]), BigInt(random.int(0, 1_000)), 1n)]
  if (!random.chance(0.05)) return []
  const share = random.chance(0.5) ? 10_000n : -10_000n
  return [...pools.values()]
    .filter(({ token0, token1 }) => [token0, token1].includes(moving.address))
    .map((pool) => (pool.token0 === moving.address ? own(pool, pool.balance0 / share, 0n) : own(pool, 0n, pool.balance1 / share)))
}

/** A swap event of a contract that the factory never made: any contract may emit anything. */
function strange(random: Random, pool: ModelPool, tx: number): Emitted {
  return emitSwap({ pool: { ...pool, address: addressOf('somebody else') }, tx }, BigInt(random.int(1, 1e6)), -1n)
}

function act(random: Random, pool: ModelPool, tx: number): { emitted: Emitted[]; pool: ModelPool } {
  const draw = random.next()
  if (draw < 0.8) return trade(random, pool, tx)
  if (draw < 0.9) return provide(random, pool, tx)
  if (draw < 0.97) return withdraw(random, pool, tx)
  const amount = pool.liquidity / 1_000n
  const paid = (amount * BigInt(pool.fee)) / 1_000_000n + 1n
  const after = payFees(pool, paid, paid)
  if (pool.liquidity === 0n) return { emitted: [], pool }
  return { emitted: [emitFlash({ pool: after, tx }, amount, paid, paid)], pool: after }
}

/** A swap, now and then there and back at once. */
function trade(random: Random, pool: ModelPool, tx: number): { emitted: Emitted[]; pool: ModelPool } {
  const zeroForOne = random.chance(0.5)
  const limit = sqrtPriceX96AtTick(pool.tick + (zeroForOne ? -random.int(5, 3_000) : random.int(5, 3_000)))
  const base = pool.liquidity === 0n ? 10n ** 12n : pool.liquidity
  const size = toOwnUnits(pool, zeroForOne, base / BigInt(random.int(30, 30_000))) + 1n
  const swap = swapPool(pool, zeroForOne, random.chance(0.8) ? size : -size, limit)
  if (swap.amount0 === 0n && swap.amount1 === 0n) return { emitted: [], pool }
  return { emitted: [emitSwap({ pool: swap.pool, tx }, swap.amount0, swap.amount1)], pool: swap.pool }
}

/** Liquidity is the geometric mean of both sides: this much of it in the side that comes in. */
function toOwnUnits({ sqrtPriceX96 }: ModelPool, zeroForOne: boolean, liquidity: bigint): bigint {
  return zeroForOne ? (liquidity << 96n) / sqrtPriceX96 : (liquidity * sqrtPriceX96) >> 96n
}

function provide(random: Random, pool: ModelPool, tx: number): { emitted: Emitted[]; pool: ModelPool } {
  const middle = Math.floor(pool.tick / pool.tickSpacing)
  const lower = (middle - random.int(-5, 30)) * pool.tickSpacing
  const upper = lower + random.int(1, 40) * pool.tickSpacing
  const size = (pool.liquidity || 10n ** 12n) / BigInt(random.int(2, 50)) + 1n
  const { pool: after, amount0, amount1 } = changeLiquidity(pool, lower, upper, size)
  return { emitted: [emitMint({ pool: after, tx }, { lower, upper, amount0, amount1 }, size)], pool: after }
}

/** Takes out a part of a position, or all of it, and collects it. */
function withdraw(random: Random, pool: ModelPool, tx: number): { emitted: Emitted[]; pool: ModelPool } {
  const held = [...pool.positions].filter(([, size]) => size > 0n)
  const [key, size] = random.pick(held)
  const [lower = 0, upper = 0] = key.split(':').map(Number)
  const wide = upper > tickMax - 1_000
  const part = random.chance(0.4) && !wide ? size : random.chance(0.1) ? 0n : size / BigInt(random.int(2, 9))
  const { pool: after, amount0, amount1 } = changeLiquidity(pool, lower, upper, -part)
  const range = { lower, upper, amount0, amount1 }
  const at = { pool: after, tx }
  if (!random.chance(0.7)) return { emitted: [emitBurn(at, range, part)], pool: after }
  return { emitted: [emitBurn(at, range, part), emitCollect(at, range)], pool: own(after, -amount0, -amount1) }
}
