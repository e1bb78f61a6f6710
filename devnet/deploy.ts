// Builds the local chain's contracts, pools and accounts, in three blocks after the first.

import { readTokenBoost } from '@chainboard/contracts'
import { type Address, encodeDeployData, encodeFunctionData, type Hex, numberToHex, parseAbi, zeroAddress } from 'viem'
import {
  accounts,
  boosters,
  creations,
  demoUser,
  deployer,
  getDevAddress,
  makers,
  multicall3,
  poolAddresses,
  sortPair,
} from './addresses.ts'
import { type ContractCode, readMulticall3, readOwnContract, readUniswapContract } from './artifacts.ts'
import { at } from './at.ts'
import { firstPrices, firstUsd } from './market.ts'
import { mineAll, type Transaction } from './mineAll.ts'
import { type DevPool, pools } from './pools.ts'
import { toRaw, toSqrtPriceX96 } from './prices.ts'
import type { Rpc } from './rpc.ts'
import { getToken, listedTokens, tokens, usdc, wrappedNative } from './tokens.ts'

/** Raise when the contracts, pools or first amounts change: kept states of another version are thrown away. */
export const deploymentVersion = 3

const forever = 2n ** 48n
const coin = 10n ** 18n
/** The largest multiple of each tier's tick spacing that is a tick. */
const fullRange = { 500: 887_270, 3000: 887_220, 10000: 887_200 } as const
const tickSpacing = { 500: 10, 3000: 60, 10000: 200 } as const

/** What the demo user holds, in whole tokens. */
const demoHoldings = {
  USDC: 25_000,
  WEMB: 2.5,
  CNDR: 1_800,
  HRBR: 12,
  TIDE: 40_000,
  BSLT: 6_500,
  LNTN: 30_000,
  FNNC: 250_000_000,
  VERD: 900,
  OCHR: 75,
}
/** What the demo user has staked, in whole tokens. */
const demoStakes = { CNDR: 1_200, HRBR: 5 }
const demoCoins = 42n
/** Whole USDC of each user who boosts: enough for a boost every day of a year. */
const boosterUsdc = 10_000
/** US dollars for a boost, in millionths. */
const boostPrice = 25_000_000n
const makerCoins = 1_000_000n

const abi = parseAbi([
  'function deposit() payable',
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function stake(uint256 amount)',
  'function setUp(address[] pools, address[] makers)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params)',
])

/**
 * Deploys everything; the chain must be fresh and mine only when told.
 * @throws Error naming the step when a transaction fails
 */
export async function deploy(rpc: Rpc, startSeconds: number): Promise<void> {
  await rpc.call('anvil_setCode', [multicall3, readMulticall3()])
  for (const account of accounts) await setCoins(rpc, account.address, makerCoins)
  await setCoins(rpc, deployer, makerCoins + BigInt(wrappedNative.supply))
  await mineAll(rpc, createContracts(), startSeconds + 12)
  await mineAll(rpc, [...createPools(), ...shareOut()], startSeconds + 24)
  await mineAll(rpc, [...provideLiquidity(), setUpMarket(), ...stakeForDemo()], startSeconds + 36)
  await setCoins(rpc, deployer, 10_000n)
  await setCoins(rpc, demoUser, demoCoins)
}

function createContracts(): Transaction[] {
  const wrapped = getDevAddress('WEMB')
  const factory = getDevAddress('factory')
  const build = (name: string): Hex => {
    if (name === 'factory') return encode(readUniswapContract('factory'), [])
    if (name === 'market') return encode(readOwnContract('DevMarket'), [])
    if (name === 'WEMB') return encode(readOwnContract('WrappedNative'), [wrappedNative.name, wrappedNative.symbol])
    // Without a descriptor of positions `tokenURI` reverts; nothing here asks for it.
    if (name === 'positionManager') return encode(readUniswapContract('positionManager'), [factory, wrapped, zeroAddress])
    if (name === 'swapRouter') return encode(readUniswapContract('swapRouter'), [factory, wrapped])
    if (name === 'quoter') return encode(readUniswapContract('quoter'), [factory, wrapped])
    if (name === 'boost') return encode(readTokenBoost(), [deployer, getDevAddress('USDC'), boostPrice])
    if (name.startsWith('staking:')) return encode(readOwnContract('DevStaking'), [getDevAddress(name.slice('staking:'.length))])
    const token = getToken(name)
    return encode(readOwnContract('DevToken'), [token.name, token.symbol, token.decimals, toRaw(name, token.supply)])
  }
  return creations.map((name) => ({ from: deployer, data: build(name) }))
}

function encode(code: ContractCode, args: readonly unknown[]): Hex {
  return encodeDeployData({ abi: code.abi, bytecode: code.bytecode, args })
}

function createPools(): Transaction[] {
  const prices = firstPrices()
  return pools.map((pool, index) => {
    const { token0, token1 } = sortPair(pool)
    const args = [getDevAddress(token0), getDevAddress(token1), pool.feeTier, toSqrtPriceX96(pool, prices[index] ?? 0)] as const
    const data = encodeFunctionData({ abi, functionName: 'createAndInitializePoolIfNecessary', args })
    return { from: deployer, to: getDevAddress('positionManager'), data }
  })
}

/** Wraps coins; gives the demo user its holdings, users who boost their USDC, the market most of the rest; what stays goes into the pools. */
function shareOut(): Transaction[] {
  const send = (symbol: string, to: Address, whole: number): Transaction => ({
    from: deployer,
    to: getDevAddress(symbol),
    data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, toRaw(symbol, whole)] }),
  })
  const deposit = encodeFunctionData({ abi, functionName: 'deposit' })
  const spender = getDevAddress('positionManager')
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [spender, 2n ** 256n - 1n] })
  const staked = Object.entries(demoStakes)
  const approveBy = (from: Address) => listedTokens.map((token) => ({ from, to: getDevAddress(token.symbol), data: approve }))
  return [
    { from: deployer, to: getDevAddress('WEMB'), data: deposit, value: BigInt(wrappedNative.supply) * coin },
    ...Object.entries(demoHoldings).map(([symbol, whole]) => send(symbol, demoUser, whole)),
    ...staked.map(([symbol, whole]) => send(symbol, demoUser, whole)),
    ...boosters.map((user) => send('USDC', user, boosterUsdc)),
    ...[...tokens, usdc, wrappedNative].map((token) => send(token.symbol, getDevAddress('market'), token.supply * 0.9)),
    ...pools.flatMap((pool, index) => {
      const depthUsd = (pool.depthUsd + (pool.band?.depthUsd ?? 0)) * secondProviderPart * 1.001
      return [pool.base, pool.quote].map((symbol) => send(symbol, secondProvider(index), depthUsd / 2 / firstUsd(symbol)))
    }),
    ...[deployer, ...makers].flatMap(approveBy),
  ]
}

function provideLiquidity(): Transaction[] {
  const prices = firstPrices()
  return pools.flatMap((pool, index) => {
    const price = prices[index] ?? 0
    const edge = fullRange[pool.feeTier]
    const full = { depthUsd: pool.depthUsd, ticks: [-edge, edge] as const }
    const band = pool.band && { depthUsd: pool.band.depthUsd, ticks: bandTicks(pool, price, pool.band.width) }
    return [full, ...(band ? [band] : [])].flatMap(({ depthUsd, ticks }) => [
      provide(deployer, pool, depthUsd * (1 - secondProviderPart), ticks),
      provide(secondProvider(index), pool, depthUsd * secondProviderPart, ticks),
    ])
  })
}

/** Nobody owns a pool alone: volume in a pool of one provider is not organic. */
const secondProviderPart = 0.5

/** Another maker than the one who trades there. */
function secondProvider(pool: number): Address {
  return at(makers, (pool + 1) % makers.length)
}

/** Ticks from price / (1 + width) to price x (1 + width), on the tier's grid. */
function bandTicks(pool: DevPool, price: number, width: number): [number, number] {
  const spacing = tickSpacing[pool.feeTier]
  const root = Number(toSqrtPriceX96(pool, price)) / 2 ** 96
  const middle = Math.log(root * root) / Math.log(1.0001)
  const half = Math.log(1 + width) / Math.log(1.0001)
  return [Math.round((middle - half) / spacing) * spacing, Math.round((middle + half) / spacing) * spacing]
}

function provide(from: Address, pool: DevPool, depthUsd: number, [tickLower, tickUpper]: readonly [number, number]): Transaction {
  const { token0, token1 } = sortPair(pool)
  const whole = (symbol: string) => depthUsd / 2 / firstUsd(symbol)
  const params = {
    token0: getDevAddress(token0),
    token1: getDevAddress(token1),
    fee: pool.feeTier,
    tickLower,
    tickUpper,
    amount0Desired: toRaw(token0, whole(token0)),
    amount1Desired: toRaw(token1, whole(token1)),
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: from,
    deadline: forever,
  }
  return {
    from,
    to: getDevAddress('positionManager'),
    data: encodeFunctionData({ abi, functionName: 'mint', args: [params] }),
  }
}

function setUpMarket(): Transaction {
  const data = encodeFunctionData({ abi, functionName: 'setUp', args: [poolAddresses, makers] })
  return { from: deployer, to: getDevAddress('market'), data }
}

function stakeForDemo(): Transaction[] {
  return Object.entries(demoStakes).flatMap(([symbol, whole]) => {
    const staking = getDevAddress(`staking:${symbol}`)
    const amount = toRaw(symbol, whole)
    return [
      {
        from: demoUser,
        to: getDevAddress(symbol),
        data: encodeFunctionData({ abi, functionName: 'approve', args: [staking, amount] }),
      },
      { from: demoUser, to: staking, data: encodeFunctionData({ abi, functionName: 'stake', args: [amount] }) },
    ]
  })
}

async function setCoins(rpc: Rpc, address: Address, coins: bigint): Promise<void> {
  await rpc.call('anvil_setBalance', [address, numberToHex(coins * coin)])
}
