import { type Address, createTickList, type Hex, noDepth } from '@chainboard/core'
import { emptyWorld, foldBlock, type World } from '../indexer/world.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import { emptyPoolState } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import type { Swap } from '../store/swaps.ts'
import { emptyTokenState } from '../store/tokenState.ts'
import { alpha, alphaPool, sqrtPrices, trader, usdc, wrapped, wrappedPool } from './market.ts'

export const dollars = (whole: number) => BigInt(Math.round(whole * 1e6)) * 10n ** 12n
export const hour = 3_600
export const firstHour = 1_700_000 * hour

export function token(address: Address, decimals: number) {
  return { ...emptyTokenState, address, symbol: '', name: '', decimals, totalSupplyRaw: 0n }
}

export function pool(address: Address, token0: Address, token1: Address): Pool {
  const made = {
    fee: 3_000,
    tickSpacing: 60,
    createdBlock: 0,
    createdAtSeconds: 0,
    firstSwapAtSeconds: undefined,
    lastSwapAtSeconds: undefined,
    reach: undefined,
  }
  return { ...emptyPoolState, ...noDepth, ...made, address, token0, token1 }
}

export function fold(world: World, event: Swap | PoolEvent) {
  return foldBlock(world, [event])[0]
}

export function put(world: World, pool: Pool): void {
  world.pools.set(pool.address, pool)
  world.ticks.set(pool.address, createTickList())
}

let places = 0
export function place(of: Address, atSeconds: number) {
  places += 1
  return { blockNumber: places, logIndex: 0, txHash: '0x01' as Hex, pool: of, timestampSeconds: atSeconds }
}

export function open(of: Address, sqrtPriceX96: bigint, [liquidity, amount0, amount1]: [bigint, bigint, bigint]): PoolEvent[] {
  const range = { owner: trader, sender: trader, tickLower: -887_220, tickUpper: 887_220 }
  return [
    { ...place(of, firstHour), kind: 'initialize', sqrtPriceX96, tick: 0 },
    { ...place(of, firstHour), kind: 'mint', ...range, amount: liquidity, amount0, amount1 },
  ]
}

export function swapOf(
  of: Address,
  { sqrtPriceX96, amount0, amount1 }: Pick<Swap, 'sqrtPriceX96' | 'amount0' | 'amount1'>,
  atSeconds: number,
): Swap {
  const parties = { sender: trader, recipient: trader, liquidity: 10n ** 17n, tick: 0 }
  return { ...place(of, atSeconds), kind: 'swap', ...parties, sqrtPriceX96, amount0, amount1 }
}

/** USDC against the wrapped native coin at 2,500 dollars; ALPHA at 0.0025 of that coin: 6.25 dollars. */
export function openMarket(order: 'alpha first' | 'native first' = 'native first'): World {
  const world = emptyWorld({
    stables: [usdc],
    wrappedNative: wrapped,
    quotes: [],
    depthFloorUsdE18: dollars(50),
    windowSeconds: 600,
  })
  for (const each of [token(usdc, 6), token(alpha, 8), token(wrapped, 18)]) world.tokens.set(each.address, each)
  for (const each of [pool(wrappedPool, usdc, wrapped), pool(alphaPool, alpha, wrapped)]) put(world, each)
  const native = open(wrappedPool, sqrtPrices.wrappedAt2500, [10n ** 17n, 5n * 10n ** 12n, 2n * 10n ** 21n])
  const alphas = open(alphaPool, sqrtPrices.alphaAt6, [10n ** 17n, 10n ** 15n, 10n ** 21n])
  const events = order === 'native first' ? [...native, ...alphas] : [...alphas, ...native]
  for (const event of events) fold(world, event)
  return world
}

export const at1600 = { sqrtPriceX96: 25_000n * 2n ** 96n, amount0: -1_600_000_000n, amount1: 10n ** 18n }
