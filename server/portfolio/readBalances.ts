import { type Address, Failure } from '@chainboard/core'
import { encodeFunctionData, parseAbi } from 'viem'
import { callMany, type ViewCall } from '../chain/callMany.ts'
import type { RecallingChain } from '../chain/recallingChain.ts'
import { toWord } from './toWord.ts'

const abi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function getEthBalance(address account) view returns (uint256)',
])

/** Knows the newest block mostly without asking: then a wallet costs one call. */
export type BalanceChain = Pick<RecallingChain, 'recallHead' | 'readHead' | 'forward'>

/** What is asked about: every wallet the same. */
export type Holdable = {
  readonly tokens: readonly { readonly id: Address; readonly decimals: number }[]
  readonly coinDecimals: number
  /** The chain's Multicall3; where none stands, tokens are asked one by one. */
  readonly multicall: Address
}

/** An amount that is not zero, in smallest units of `decimals`. */
export type Balance = { readonly token: Address | 'native'; readonly amountRaw: bigint; readonly decimals: number }

/** What a wallet has at the end of one block: the coin, then tokens in the order of the list. */
export type WalletBalances = { readonly block: number; readonly balances: readonly Balance[] }

/**
 * Reads what a wallet has of the coin and of every token. Tokens that do not answer with one number are left out.
 * @throws Failure of the codes `rpc-…` when the node does not answer, or not even the coin's balance can be read
 */
export async function readBalances(chain: BalanceChain, wallet: Address, holdable: Holdable): Promise<WalletBalances> {
  const block = chain.recallHead() ?? (await chain.readHead()).number
  try {
    return await readAt(chain, wallet, holdable, block)
  } catch (error) {
    if (!(error instanceof Failure) || !error.retryable || error.code === 'rpc-rate-limited') throw error
    // One of several nodes behind a URL may not have that block yet, or have lost it to another branch.
    return readAt(chain, wallet, holdable, (await chain.readHead()).number)
  }
}

async function readAt(
  chain: Pick<BalanceChain, 'forward'>,
  wallet: Address,
  { tokens, coinDecimals, multicall }: Holdable,
  block: number,
): Promise<WalletBalances> {
  const coinCall = { to: multicall, data: encodeFunctionData({ abi, functionName: 'getEthBalance', args: [wallet] }) }
  const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [wallet] })
  const calls: ViewCall[] = [coinCall, ...tokens.map(({ id }) => ({ to: id, data }))]
  const [coinAnswer, ...answers] = await callMany(chain, calls, { multicall, block })
  const coins = toWord(coinAnswer) ?? (await readCoins(chain, wallet, block))
  const balances: Balance[] = [
    { token: 'native', amountRaw: coins, decimals: coinDecimals },
    ...tokens.map(({ id, decimals }, i) => ({ token: id, amountRaw: toWord(answers[i]) ?? 0n, decimals })),
  ]
  return { block, balances: balances.filter(({ amountRaw }) => amountRaw > 0n) }
}

/** The coin's balance where no multicall tells it. */
async function readCoins({ forward }: Pick<BalanceChain, 'forward'>, wallet: Address, block: number): Promise<bigint> {
  const answer = await forward('eth_getBalance', [wallet, `0x${block.toString(16)}`])
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,64}$/i.test(answer)) return BigInt(answer)
  throw new Failure('rpc-refused', "The node's response is not a balance", { retryable: true, detail: { answer } })
}
