// Users of the local chain pay for boosts, so that a newcomer finds some.
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { boosters, getDevAddress } from './addresses.ts'
import { mineAll, type Transaction } from './mineAll.ts'
import type { Rpc } from './rpc.ts'
import { listedTokens } from './tokens.ts'
import type { ChainWriter } from './writer.ts'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function boostToken(address token, address paymentToken)',
  'function paymentAmount(address paymentToken) view returns (uint256)',
  'function getBatchBoostStatus(address[] tokens) view returns (bool[] boosted, uint256[] expirations)',
])

/** Orrery for two days, Tidewater for one. */
const boosts: readonly { readonly payer: Address; readonly symbol: string }[] = [
  { payer: boosters[0], symbol: 'ORRY' },
  { payer: boosters[1], symbol: 'ORRY' },
  { payer: boosters[1], symbol: 'TIDE' },
]

/**
 * Has users boost some tokens, in one block, if no listed token is boosted. What prevents it is told and nothing more: somebody
 * may have paused the contract, or spent the users' money.
 */
export async function boostTokens(rpc: Rpc, writer: ChainWriter, onProblem: (text: string) => void): Promise<void> {
  try {
    if (await isAnyBoosted(rpc)) return
    const usdc = getDevAddress('USDC')
    const data = encodeFunctionData({ abi, functionName: 'paymentAmount', args: [usdc] })
    const amount = decodeFunctionResult({ abi, functionName: 'paymentAmount', data: await read(rpc, data) })
    await writer.alone(() => mineAll(rpc, toTransactions(usdc, amount)))
  } catch (error) {
    onProblem(`users could not boost tokens: ${error instanceof Error ? error.message : error}`)
  }
}

async function isAnyBoosted(rpc: Rpc): Promise<boolean> {
  const tokens = listedTokens.map((token) => getDevAddress(token.symbol))
  const data = encodeFunctionData({ abi, functionName: 'getBatchBoostStatus', args: [tokens] })
  const [boosted] = decodeFunctionResult({ abi, functionName: 'getBatchBoostStatus', data: await read(rpc, data) })
  return boosted.includes(true)
}

function read(rpc: Rpc, data: Hex): Promise<Hex> {
  return rpc.call<Hex>('eth_call', [{ to: getDevAddress('boost'), data }, 'latest'])
}

function toTransactions(usdc: Address, amount: bigint): Transaction[] {
  const contract = getDevAddress('boost')
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [contract, amount] })
  return boosts.flatMap(({ payer, symbol }) => [
    { from: payer, to: usdc, data: approve },
    {
      from: payer,
      to: contract,
      data: encodeFunctionData({ abi, functionName: 'boostToken', args: [getDevAddress(symbol), usdc] }),
    },
  ])
}
