import type { Address, Hex } from '@chainboard/core'
import { decodeAbiParameters, hexToString, trim } from 'viem'
import { callMany } from './callMany.ts'
import type { Chain, TokenFacts } from './chain.ts'
import { isRevert } from './isRevert.ts'
import type { Call } from './readRange.ts'

/** ERC-20 selectors of `symbol()`, `name()`, `decimals()` and `totalSupply()`. */
const getters = ['0x95d89b41', '0x06fdde03', '0x313ce567', '0x18160ddd'] as const
const decimalsMax = 77
const textMax = 200

/** Asks each token for its name; plain `eth_call`s that travel together, so no helper contract has to exist on the chain. */
export function readTokenFacts(call: Call, addresses: readonly Address[]): Promise<TokenFacts[]> {
  const ask = async (to: Address, data: Hex): Promise<Hex | undefined> => {
    try {
      return await call<Hex>('eth_call', [{ to, data }, 'latest'])
    } catch (error) {
      if (isRevert(error)) return undefined
      throw error
    }
  }
  return Promise.all(
    addresses.map(async (address) => {
      const answers = await Promise.all(getters.map((data) => ask(address, data)))
      return toFacts(address, answers)
    }),
  )
}

/** The same of many tokens, by Multicall3 where there is one, at the newest block. @throws Failure `rpc-…` */
export async function readManyTokenFacts(
  chain: Pick<Chain, 'forward'>,
  addresses: readonly Address[],
  multicall: Address,
): Promise<TokenFacts[]> {
  const calls = addresses.flatMap((to) => getters.map((data) => ({ to, data })))
  const answers = await callMany(chain, calls, { multicall, block: 'latest' })
  return addresses.map((address, i) => toFacts(address, answers.slice(i * getters.length, (i + 1) * getters.length)))
}

function toFacts(address: Address, [symbol, name, decimals, totalSupply]: readonly (Hex | undefined)[]): TokenFacts {
  return {
    address,
    symbol: toText(symbol),
    name: toText(name),
    decimals: toDecimals(decimals),
    totalSupplyRaw: toWord(totalSupply) ?? 0n,
  }
}

/** Old tokens answer `bytes32` instead of `string`. No answer reads as an empty text. */
function toText(answer: Hex | undefined): string {
  if (!answer || answer === '0x') return ''
  try {
    const text =
      answer.length === 66 ? hexToString(trim(answer, { dir: 'right' })) : decodeAbiParameters([{ type: 'string' }], answer)[0]
    return text.replaceAll('\0', '').slice(0, textMax)
  } catch {
    return ''
  }
}

function toDecimals(answer: Hex | undefined): number | undefined {
  const decimals = toWord(answer)
  return decimals !== undefined && decimals <= decimalsMax ? Number(decimals) : undefined
}

function toWord(answer: Hex | undefined): bigint | undefined {
  return answer?.length === 66 ? BigInt(answer) : undefined
}
