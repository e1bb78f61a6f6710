// Pools as the lab's actors know them: prices in whole tokens, positions, and the calls that make them.
import { sqrtPriceX96AtTick, tickMax, tickMin } from '@chainboard/core'
import { type Address, encodeAbiParameters, encodeFunctionData, getContractAddress, type Hex, keccak256, parseAbi } from 'viem'
import { getDevAddress } from '../../devnet/addresses.ts'
import { readOwnContract, readPoolBytecode } from '../../devnet/artifacts.ts'

/** A token of the lab. */
export type LabToken = { readonly symbol: string; readonly address: Address; readonly decimals: number }

/** A pool of the lab; `base` is priced in `quote`. */
export type LabPool = {
  readonly address: Address
  readonly base: LabToken
  readonly quote: LabToken
  readonly fee: number
  readonly baseIsToken0: boolean
}

/** A call to a contract. */
export type Call = { readonly to: Address; readonly data: Hex }
/** Ticks between which liquidity is. */
export type Range = { readonly tickLower: number; readonly tickUpper: number }
/** Liquidity in a range of a pool. */
export type Position = Range & { readonly pool: LabPool; readonly liquidity: bigint }

const q96 = 2 ** 96
const most = 2n ** 128n - 1n
const highestX96 = sqrtPriceX96AtTick(tickMax) - 1n
const tickSpacings: Readonly<Record<number, number>> = { 500: 10, 3000: 60, 10000: 200 }
const abi = parseAbi([
  'function createPool(address tokenA, address tokenB, uint24 fee)',
  'function initialize(uint160 sqrtPriceX96)',
  'function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes data)',
  'function burn(int24 tickLower, int24 tickUpper, uint128 amount)',
  'function collect(address recipient, int24 tickLower, int24 tickUpper, uint128 amount0, uint128 amount1)',
  'function swap(address recipient, bool zeroForOne, int256 amount, uint160 limitX96, bytes data)',
  'function positions(bytes32 key)',
  'function flash(address recipient, uint256 amount0, uint256 amount1, bytes data)',
  'function transfer(address to, uint256 amount)',
])
const kitAbi = readOwnContract('DevAttacker').abi
const poolCodeHash = keccak256(readPoolBytecode())

/** The pool that the factory has, or would make. */
export function toLabPool(base: LabToken, quote: LabToken, fee: number): LabPool {
  const baseIsToken0 = BigInt(base.address) < BigInt(quote.address)
  const pair = baseIsToken0 ? [base.address, quote.address] : [quote.address, base.address]
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }]
  const salt = keccak256(encodeAbiParameters(types, [...pair, fee]))
  const address = getContractAddress({ opcode: 'CREATE2', from: getDevAddress('factory'), salt, bytecodeHash: poolCodeHash })
  return { address, base, quote, fee, baseIsToken0 }
}

/** @param price whole quote per whole base */
export function toSqrtX96(pool: LabPool, price: number): bigint {
  return BigInt(Math.round(Math.sqrt(toRawPrice(pool, price)) * q96))
}

/** The price of the pool's grid next to a price. */
export function snapPrice(pool: LabPool, price: number): { readonly tick: number; readonly sqrtX96: bigint } {
  const tick = snap(pool, toTick(pool, price))
  return { tick, sqrtX96: sqrtPriceX96AtTick(tick) }
}

/** Ticks of the pool's grid around two prices, in any order. */
export function toRange(pool: LabPool, priceA: number, priceB: number): Range {
  const [tickLower = 0, tickUpper = 0] = [toTick(pool, priceA), toTick(pool, priceB)]
    .toSorted((a, b) => a - b)
    .map((tick) => snap(pool, tick))
  return { tickLower, tickUpper }
}

/** Ticks between two prices of the pool's grid. */
export function spacingOf({ fee }: LabPool): number {
  return tickSpacings[fee] ?? 60
}

/** The largest position that the whole tokens pay for at the price. Tokens that the range does not need are not used. */
export function toPosition(
  pool: LabPool,
  range: Range,
  { sqrtX96, base, quote }: { sqrtX96: bigint; base: number; quote: number },
): Position {
  const toRoot = (tick: number) => Number(sqrtPriceX96AtTick(tick)) / q96
  const [lower, upper] = [toRoot(range.tickLower), toRoot(range.tickUpper)]
  const now = Math.min(Math.max(Number(sqrtX96) / q96, lower), upper)
  const [whole0, whole1] = pool.baseIsToken0 ? [base, quote] : [quote, base]
  const [token0, token1] = pool.baseIsToken0 ? [pool.base, pool.quote] : [pool.quote, pool.base]
  const by0 = now < upper ? (whole0 * 10 ** token0.decimals) / (1 / now - 1 / upper) : Number.POSITIVE_INFINITY
  const by1 = now > lower ? (whole1 * 10 ** token1.decimals) / (now - lower) : Number.POSITIVE_INFINITY
  return { ...range, pool, liquidity: BigInt(Math.floor(Math.min(by0, by1))) }
}

/** Whole tokens in the smallest unit. */
export function toRawAmount({ decimals }: LabToken, whole: number): bigint {
  const kept = Math.min(decimals, 6)
  return BigInt(Math.round(whole * 10 ** kept)) * 10n ** BigInt(decimals - kept)
}

/** Creates a pool and sets its first price. */
export function createCalls(pool: LabPool, sqrtX96: bigint): Call[] {
  const pair = [pool.base.address, pool.quote.address, pool.fee] as const
  return [
    { to: getDevAddress('factory'), data: encodeFunctionData({ abi, functionName: 'createPool', args: pair }) },
    { to: pool.address, data: encodeFunctionData({ abi, functionName: 'initialize', args: [sqrtX96] }) },
  ]
}

/** Adds a position. */
export function enterCall(kit: Address, { pool, tickLower, tickUpper, liquidity }: Position): Call {
  const args = [kit, tickLower, tickUpper, liquidity, '0x'] as const
  return { to: pool.address, data: encodeFunctionData({ abi, functionName: 'mint', args }) }
}

/** Takes everything out, earned fees too. */
export function leaveCalls(kit: Address, { pool, tickLower, tickUpper, liquidity }: Position): Call[] {
  const collect = encodeFunctionData({ abi, functionName: 'collect', args: [kit, tickLower, tickUpper, most, most] })
  return [burnData({ tickLower, tickUpper, liquidity }), collect].map((data) => ({ to: pool.address, data }))
}

/** Ends a position, or a part of it; its tokens stay in the pool. */
export function burnData({ tickLower, tickUpper, liquidity }: Omit<Position, 'pool'>): Hex {
  return encodeFunctionData({ abi, functionName: 'burn', args: [tickLower, tickUpper, liquidity] })
}

/** Reads a position. @param key of the position in its pool */
export function positionData(key: Hex): Hex {
  return encodeFunctionData({ abi, functionName: 'positions', args: [key] })
}

/** Trades until the pool has a price. */
export function moveCall(kit: Address, pool: LabPool, sqrtX96: bigint): Call {
  return { to: kit, data: encodeFunctionData({ abi: kitAbi, functionName: 'moveTo', args: [pool.address, sqrtX96] }) }
}

/** Sells this much of the base, in its smallest unit, at any price. */
export function sellCall(kit: Address, pool: LabPool, amountRaw: bigint): Call {
  return swapCall(kit, pool, { zeroForOne: pool.baseIsToken0, amountRaw })
}

/** Buys the base for whole quote tokens at any price. */
export function buyCall(kit: Address, pool: LabPool, quote: number): Call {
  return swapCall(kit, pool, { zeroForOne: !pool.baseIsToken0, amountRaw: toRawAmount(pool.quote, quote) })
}

type AnyPrice = { readonly zeroForOne: boolean; readonly amountRaw: bigint }

function swapCall(kit: Address, { address }: LabPool, { zeroForOne, amountRaw }: AnyPrice): Call {
  const args = [kit, zeroForOne, amountRaw, zeroForOne ? sqrtPriceX96AtTick(tickMin) + 1n : highestX96, '0x'] as const
  return { to: address, data: encodeFunctionData({ abi, functionName: 'swap', args }) }
}

/** Sells whole quote tokens for the base and buys them back, `times` times: two swaps each. */
export function washCall(kit: Address, pool: LabPool, { quote, times }: { quote: number; times: number }): Call {
  const args = [pool.address, !pool.baseIsToken0, toRawAmount(pool.quote, quote), times]
  return { to: kit, data: encodeFunctionData({ abi: kitAbi, functionName: 'thereAndBack', args }) }
}

/** Transfers tokens. */
export function transferCall(token: LabToken, to: Address, amountRaw: bigint): Call {
  return { to: token.address, data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, amountRaw] }) }
}

/** Transfers all tokens of a kit. */
export function sendAllCall(kit: Address, token: LabToken, to: Address): Call {
  return { to: kit, data: encodeFunctionData({ abi: kitAbi, functionName: 'sendAll', args: [token.address, to] }) }
}

/** Borrows whole quote tokens from the pool, makes the calls, and pays back with the fee. */
export function flashCall(kit: Address, pool: LabPool, quote: number, calls: readonly Call[]): Call {
  const amount = toRawAmount(pool.quote, quote)
  const amounts = pool.baseIsToken0 ? ([0n, amount] as const) : ([amount, 0n] as const)
  const callType = {
    type: 'tuple[]',
    components: [
      { name: 'to', type: 'address' },
      { name: 'data', type: 'bytes' },
    ],
  }
  const data = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }, callType], [...amounts, calls])
  return { to: pool.address, data: encodeFunctionData({ abi, functionName: 'flash', args: [kit, ...amounts, data] }) }
}

/** Lets any wallet run calls through the kit. */
export function openData(): Hex {
  return encodeFunctionData({ abi: kitAbi, functionName: 'open' })
}

/** Runs calls through a kit, in one transaction. */
export function runData(calls: readonly Call[]): Hex {
  return encodeFunctionData({ abi: kitAbi, functionName: 'run', args: [calls] })
}

function toRawPrice({ baseIsToken0, base, quote }: LabPool, price: number): number {
  const raw = price * 10 ** (quote.decimals - base.decimals)
  return baseIsToken0 ? raw : 1 / raw
}

function toTick(pool: LabPool, price: number): number {
  return Math.log(toRawPrice(pool, price)) / Math.log(1.0001)
}

function snap(pool: LabPool, tick: number): number {
  return Math.round(tick / spacingOf(pool)) * spacingOf(pool)
}
