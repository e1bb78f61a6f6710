// What needs no attacker: a stable coin that is none, and liquidity that leaves.
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { getDevAddress } from '../../../devnet/addresses.ts'
import { pools as devPools } from '../../../devnet/pools.ts'
import type { Transaction } from './chainTools.ts'
import { createCalls, enterCall, type LabPool, moveCall, runData, toPosition, toRange, toSqrtX96 } from './pools.ts'
import type { Attack, Stage } from './stage.ts'

const pegEnd = 0.9
const pegSteps = 10
const most = 2n ** 128n - 1n
/** Of its liquidity a provider who leaves forgets this part. */
const forgottenParts = 2_000n
const positionsAbi = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function positions(uint256 tokenId) view returns (uint96 nonce, address operator, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256 growth0, uint256 growth1, uint128 owed0, uint128 owed1)',
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function decreaseLiquidity(Decrease params)',
  'struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'function collect(Collect params)',
])

const otherStable = 'USDX'
const otherPools = (stage: Stage) => [stage.pool('WEMB', otherStable, 500), stage.pool(otherStable, 'USDC', 500)]

/** Honest traders keep the pools of the other stable coin at what both are worth. */
function tradeOther(stage: Stage, off = 1): Promise<void> {
  const moves = otherPools(stage).map((pool) => moveCall(stage.traderKit, pool, toSqrtX96(pool, stage.fairPrice(pool) * off)))
  return stage.block([{ from: stage.trader, to: stage.traderKit, data: runData(moves) }])
}

const depeg: Attack = {
  name: 'depeg',
  about: 'USDC falls to $0.90 in all pools within 10 blocks, and stays there; another stable coin holds',
  targets: ['WEMB', 'USDC'],
  stables: [otherStable],
  prepare: async (stage) => {
    const token = await stage.makeToken('DevToken', otherStable, 1)
    await stage.fund('USDC', 1_000_000, stage.traderKit)
    await stage.fund('WEMB', 1_000, stage.traderKit)
    const send = encodeFunctionData({
      abi: parseAbi(['function transfer(address to, uint256 amount)']),
      functionName: 'transfer',
      args: [stage.traderKit, 10n ** 25n],
    })
    await stage.block([{ from: stage.attacker, to: token.address, data: send }])
    const calls = otherPools(stage).flatMap((pool) => openFair(stage, pool))
    await stage.block([{ from: stage.trader, to: stage.traderKit, data: runData(calls) }])
    // A pool that is at its price already does not trade, and is not established an hour later.
    await tradeOther(stage, 1.001)
    await tradeOther(stage)
    await stage.skipTo(stage.seconds() + 3_720)
    await tradeOther(stage)
  },
  play: async (stage) => {
    for (let step = 1; step <= pegSteps; step += 1) {
      stage.honest.setPeg(1 + ((pegEnd - 1) * step) / pegSteps)
      await tradeOther(stage)
    }
    for (let i = 0; i < 20; i += 1) await tradeOther(stage)
    await stage.checkDollars()
  },
}

/** $400,000 around the honest price. */
function openFair(stage: Stage, pool: LabPool) {
  const price = stage.fairPrice(pool)
  const sqrtX96 = toSqrtX96(pool, price)
  const [base, quote] = [pool.base, pool.quote].map(({ symbol }) => 200_000 / (stage.honest.usdOf(symbol) ?? 1)) as [
    number,
    number,
  ]
  const position = toPosition(pool, toRange(pool, price / 2, price * 2), { sqrtX96, base, quote })
  return [...createCalls(pool, sqrtX96), enterCall(stage.traderKit, position)]
}

const control: Attack = {
  name: 'none',
  about: 'nothing at all: how far off the honest market alone makes the figures',
  targets: ['BSLT'],
  play: async (stage) => {
    for (let i = 0; i < 20; i += 1) await stage.block()
    await stage.checkDollars()
  },
}

const abandoned = ['BSLT/WEMB', 'ORRY/USDC']

const providerLeaves: Attack = {
  name: 'provider-leaves',
  about: `every provider of ${abandoned.join(' and ')} takes all but 0.05 % out; then an attacker triples both prices`,
  targets: ['BSLT', 'ORRY'],
  prepare: async (stage) => {
    await stage.fund('WEMB', 200)
    await stage.fund('USDC', 200_000)
  },
  play: async (stage) => {
    const left = devPools.flatMap(({ base, quote, feeTier }) =>
      abandoned.includes(`${base}/${quote}`) ? [stage.pool(base, quote, feeTier)] : [],
    )
    const leave = await Promise.all(left.map((pool) => leavePool(stage, pool)))
    await stage.block(leave.flat())
    const triple = left.map((pool) => moveCall(stage.kit, pool, toSqrtX96(pool, stage.fairPrice(pool) * 3)))
    await stage.act(...triple)
    for (let i = 0; i < 20; i += 1) await stage.block()
    await stage.checkDollars()
  },
}

/** Every provider of the pool takes all but a sliver out. */
async function leavePool({ rpc }: Stage, pool: LabPool): Promise<Transaction[]> {
  const to = getDevAddress('positionManager')
  const ask = (data: Hex) => rpc.call<Hex>('eth_call', [{ to, data }, 'latest'])
  const count = BigInt(await ask(encodeFunctionData({ abi: positionsAbi, functionName: 'totalSupply' })))
  const transactions: Transaction[] = []
  // No provider has left yet: positions are numbered from 1, without a gap.
  for (let tokenId = 1n; tokenId <= count; tokenId += 1n) {
    const answer = await ask(encodeFunctionData({ abi: positionsAbi, functionName: 'positions', args: [tokenId] }))
    const position = decodeFunctionResult({ abi: positionsAbi, functionName: 'positions', data: answer })
    const [token0, token1, fee, liquidity] = [position[2], position[3], position[4], position[7]]
    if (!isOfPool(pool, { token0, token1, fee })) continue
    const owner = await ask(encodeFunctionData({ abi: positionsAbi, functionName: 'ownerOf', args: [tokenId] }))
    const from: Address = `0x${owner.slice(-40)}`
    const decrease = {
      ...{ tokenId, liquidity: liquidity - liquidity / forgottenParts },
      ...{ amount0Min: 0n, amount1Min: 0n, deadline: 2n ** 48n },
    }
    const collect = { tokenId, recipient: from, amount0Max: most, amount1Max: most }
    const calls = [
      encodeFunctionData({ abi: positionsAbi, functionName: 'decreaseLiquidity', args: [decrease] }),
      encodeFunctionData({ abi: positionsAbi, functionName: 'collect', args: [collect] }),
    ]
    transactions.push(...calls.map((data) => ({ from, to, data })))
  }
  return transactions
}

type PoolKey = { readonly token0: Address; readonly token1: Address; readonly fee: number }

function isOfPool({ base, quote, fee }: LabPool, key: PoolKey): boolean {
  const toPair = (tokens: readonly Address[]) =>
    tokens
      .map((token) => token.toLowerCase())
      .sort()
      .join()
  return fee === key.fee && toPair([base.address, quote.address]) === toPair([key.token0, key.token1])
}

export const shocks: readonly Attack[] = [control, depeg, providerLeaves]
