// What needs no attacker: an honest market, and liquidity that leaves.
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { getDevAddress } from '../../devnet/addresses.ts'
import { pools as devPools } from '../../devnet/pools.ts'
import type { Transaction } from './chainTools.ts'
import { type LabPool, moveCall, toSqrtX96 } from './pools.ts'
import type { Attack, Stage } from './stage.ts'

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

const control: Attack = {
  name: 'none',
  about: 'no attack: how wrong the figures are in an honest market',
  targets: ['BSLT'],
  play: async (stage) => {
    for (let i = 0; i < 20; i += 1) await stage.block()
    await stage.checkDollars()
  },
}

const abandoned = ['BSLT/WEMB', 'ORRY/USDC']

const providerLeaves: Attack = {
  name: 'provider-leaves',
  about: `every provider of ${abandoned.join(' and ')} withdraws all but 0.05 %; then an attacker triples both prices`,
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

/** Honest moves of the market, which are no attacks. */
export const shocks: readonly Attack[] = [control, providerLeaves]
