import { randomInt } from 'node:crypto'
import { type Address, Failure, type Hex } from '@chainboard/core'
import { encodeFunctionData, parseAbi } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { isRevert } from '../../chain/isRevert.ts'
import type { PoolSwap } from '../source.ts'
import { type CallAs, callAs } from './callAs.ts'
import { holderProbeCode } from './sellProbeCode.ts'
import { type SaleRequest, toWord } from './simulateSale.ts'

/** Newest swaps of a pool among which buyers are looked for. */
export const swapsMax = 100
/** Buyers that are looked at in one turn, and of these those whose sale is simulated. */
const candidatesMax = 4
const holdersMax = 2

const abi = parseAbi(['function transfer(address to, uint256 amount)'])
/** Of an account that signs for itself and has borrowed code (EIP-7702). */
const borrowedCode = '0xef0100'

/** What a holder sold in a simulation, without buying before, in smallest units. `arrived` is 0 when the sale failed. */
export type HolderSale = { readonly holder: Address; readonly amount: bigint; readonly arrived: bigint; readonly block: number }

export type HolderRequest = SaleRequest & { readonly baseIsToken0: boolean; readonly swaps: readonly PoolSwap[] }

/**
 * Simulates that people who bought a token from a pool before, and still hold it, sell some of it: for tokens that may be sold only in
 * the block in which they were bought. Others are chosen each time.
 * @returns nothing where nobody is found, or the node accepts no state overrides
 * @throws Failure of the codes `rpc-…` when the node does not answer
 */
export async function simulateHolders(chain: Pick<Chain, 'forward'>, request: HolderRequest): Promise<HolderSale[]> {
  const candidates = pickBuyers(request)
  const codes = await Promise.all(candidates.map((each) => readCode(chain, each, request.block)))
  const people = candidates.filter((_, i) => isPerson(codes[i]))
  const sales: HolderSale[] = []
  for (const holder of people) {
    if (sales.length === holdersMax) break
    const sale = await simulateHolder(chain, request, holder)
    if (sale) sales.push(sale)
  }
  return sales
}

function pickBuyers({ swaps, baseIsToken0, pool }: HolderRequest): Address[] {
  const bought = swaps.filter(({ amount0, amount1 }) => (baseIsToken0 ? amount0 : amount1) < 0n)
  const buyers = [...new Set(bought.map(({ recipient }) => recipient))].filter((buyer) => buyer !== pool)
  const from = buyers.length > candidatesMax ? randomInt(buyers.length) : 0
  return [...buyers.slice(from), ...buyers.slice(0, from)].slice(0, candidatesMax)
}

/** @returns undefined where the node does not say */
async function readCode({ forward }: Pick<Chain, 'forward'>, account: Address, block: number): Promise<unknown> {
  try {
    return await forward('eth_getCode', [account, `0x${block.toString(16)}`])
  } catch (error) {
    if (error instanceof Failure && error.code === 'rpc-refused') return undefined
    throw error
  }
}

function isPerson(code: unknown): boolean {
  return code === '0x' || (typeof code === 'string' && code.startsWith(borrowedCode))
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
