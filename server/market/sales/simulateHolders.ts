import { randomInt } from 'node:crypto'
import { type Address, Failure, type Hex } from '@chainboard/core'
import { encodeFunctionData, parseAbi } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { isRevert } from '../../chain/isRevert.ts'
import type { TransactionReader } from '../../chain/readTransactions.ts'
import type { PoolSwap } from '../source.ts'
import { type CallAs, callAs } from './callAs.ts'
import { holderProbeCode } from './sellProbeCode.ts'
import { type SaleRequest, toWord } from './simulateSale.ts'

/** Newest swaps of a pool among which buyers are looked for. */
export const swapsMax = 100
/** Buyers of whom a purchase is looked up in one turn, and of those who signed it the ones that are tried until some hold the token. */
const lookedUpMax = 8
const triedMax = 4
const holdersMax = 2

const abi = parseAbi(['function transfer(address to, uint256 amount)'])

/** What a holder sold in a simulation, without buying before, in smallest units. `arrived` is 0 when the sale failed. */
export type HolderSale = { readonly holder: Address; readonly amount: bigint; readonly arrived: bigint; readonly block: number }

export type HolderDeps = { readonly chain: Pick<Chain, 'forward'>; readonly readTransactions: TransactionReader }

export type HolderRequest = SaleRequest & { readonly baseIsToken0: boolean; readonly swaps: readonly PoolSwap[] }

/**
 * Simulates that people who bought a token from a pool before, and still hold it, sell some of it: for tokens that may be sold only in
 * the block in which they were bought. Others are chosen each time.
 * @returns nothing where nobody is found, or the node accepts no state overrides
 * @throws Failure of the codes `rpc-…` when the node does not answer
 */
export async function simulateHolders(deps: HolderDeps, request: HolderRequest): Promise<HolderSale[]> {
  const sales: HolderSale[] = []
  for (const holder of await findBuyers(deps, request)) {
    if (sales.length === holdersMax) break
    const sale = await simulateHolder(deps.chain, request, holder)
    if (sale) sales.push(sale)
  }
  return sales
}

/**
 * Buyers who signed a purchase themselves, so they are no contracts: anybody can buy for a wallet that the token's issuer has blocked.
 * None where the node does not give transactions.
 */
async function findBuyers({ readTransactions }: HolderDeps, request: HolderRequest): Promise<Address[]> {
  const purchases = pickPurchases(request)
  try {
    const found = await readTransactions(purchases.map(({ txHash }) => txHash))
    const buyers = purchases.map(({ recipient }) => recipient)
    return buyers.filter((buyer, i) => found[i]?.origin === buyer).slice(0, triedMax)
  } catch (error) {
    if (error instanceof Failure && error.code === 'rpc-refused') return []
    throw error
  }
}

/** One purchase each of some buyers, all at random. */
function pickPurchases({ swaps, baseIsToken0, pool }: HolderRequest): PoolSwap[] {
  const bought = swaps.filter(({ amount0, amount1, recipient }) => (baseIsToken0 ? amount0 : amount1) < 0n && recipient !== pool)
  const ofBuyers = [...Map.groupBy(bought, ({ recipient }) => recipient).values()]
  const from = ofBuyers.length > lookedUpMax ? randomInt(ofBuyers.length) : 0
  const picked = [...ofBuyers.slice(from), ...ofBuyers.slice(0, from)].slice(0, lookedUpMax)
  return picked.flatMap((own) => own[randomInt(own.length)] ?? [])
}

async function simulateHolder(
  chain: Pick<Chain, 'forward'>,
  { token, pool, block, gasPriceWei }: HolderRequest,
  holder: Address,
): Promise<HolderSale | undefined> {
  const asHolder = { from: holder, block, gasPriceWei }
  const data: Hex = `0x${toWord(token)}${toWord(pool)}`
  const answer = await tryCall(chain, { ...asHolder, to: holder, data, code: holderProbeCode })
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{192}$/i.test(answer)) return undefined
  const [outcome, amount = 0n, arrived = 0n] = (answer.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
  if (outcome === 2n) return { holder, amount, arrived, block }
  if (outcome !== 1n) return undefined
  // With code the holder is no person, whom an honest token may refuse: what counts is what becomes of a transfer of a person's.
  const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [pool, amount] })
  const sent = await tryCall(chain, { ...asHolder, to: token, data: transfer })
  return sent === reverted || (typeof sent === 'string' && /^0x0{64}$/.test(sent))
    ? { holder, amount, arrived: 0n, block }
    : undefined
}

const reverted = Symbol('reverted')

/** @returns `reverted` when it does, undefined when the node does not run such calls */
async function tryCall(chain: Pick<Chain, 'forward'>, call: CallAs): Promise<unknown> {
  try {
    return await callAs(chain, call)
  } catch (error) {
    if (isRevert(error)) return reverted
    if (error instanceof Failure && error.code === 'rpc-refused') return undefined
    throw error
  }
}
