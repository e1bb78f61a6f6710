import { type Address, Failure, type Hex } from '@chainboard/core'
import { decodeAbiParameters, hexToString, isHex, trim } from 'viem'
import type { ViewAnswer, ViewCall } from './callMany.ts'
import type { BlockHash, TokenFacts } from './chain.ts'
import { isRevert } from './isRevert.ts'
import { type Call, readHeader, refusesHashFilter, toHex } from './readRange.ts'
import { toFailure } from './toFailure.ts'

/** ERC-20 selectors of `symbol()`, `name()`, `decimals()` and `totalSupply()`. */
const getters = ['0x95d89b41', '0x06fdde03', '0x313ce567', '0x18160ddd'] as const
const decimalsMax = 77
const textMax = 200

/** Blocks under the head that a node behind the same URL as others may lack. One without old states has them of so few all the same. */
const behindMax = 16

/** Where a token is asked: at a block of a number, at one of a hash (EIP-1898), or at the newest of whatever node answers. */
type Moment = Hex | { readonly blockHash: string } | 'latest'

/**
 * Asks each token for its name; plain `eth_call`s that travel together, so no helper contract has to exist on the chain.
 *
 * A node that lacks the block in which a token appeared says that there is no contract, for which nobody could tell a token without a
 * name. So they are asked by the hash of a block that has them: `since`, or a later one that all nodes should have.
 * @param since the block that shows the tokens; absent: the newest one of whatever node answers
 * @throws Failure `rpc-unavailable` when the node does not have that block, and the others `rpc-…`
 */
export async function readTokenFacts(call: Call, addresses: readonly Address[], since?: BlockHash): Promise<TokenFacts[]> {
  if (!since) return askAll(call, addresses, 'latest')
  const head = await readHeader(call, 'latest')
  const number = head.number - behindMax
  const block = number > since.number ? await readHeader(call, number) : since
  try {
    return await askAt(call, addresses, block)
  } catch (error) {
    const { code } = toFailure(error)
    if (code === 'rpc-rate-limited' || code === 'rpc-unavailable') throw error
  }
  // A node may have the block, and its state no longer: the newest one is at hand, if it comes after the block on the same chain.
  if (head.number < since.number) throw lacking(since)
  await checkHas(call, since)
  return askAt(call, addresses, head).catch((error: unknown) => {
    throw toFailure(error).code === 'rpc-rate-limited' ? error : lacking(head, error)
  })
}

/** By the block's hash, or, of a node that takes none, by its number, if the block was the wanted one before and after. */
async function askAt(call: Call, addresses: readonly Address[], block: BlockHash): Promise<TokenFacts[]> {
  try {
    return await askAll(call, addresses, { blockHash: block.hash })
  } catch (error) {
    if (!refusesHashFilter(error)) throw error
  }
  await checkHas(call, block)
  const facts = await askAll(call, addresses, toHex(block.number))
  await checkHas(call, block)
  return facts
}

async function checkHas(call: Call, block: BlockHash): Promise<void> {
  if ((await readHeader(call, block.number)).hash !== block.hash) throw lacking(block)
}

function lacking({ number }: BlockHash, cause?: unknown): Failure {
  const text = cause === undefined ? 'does not have it' : toFailure(cause).message
  return new Failure('rpc-unavailable', `The node has no answer for block ${number}: ${text}`, {
    retryable: true,
    detail: { block: number },
    cause,
  })
}

function askAll(call: Call, addresses: readonly Address[], block: Moment): Promise<TokenFacts[]> {
  const ask = async (to: Address, data: Hex): Promise<Hex | undefined> => {
    try {
      const answer = await call('eth_call', [{ to, data }, block])
      return isHex(answer, { strict: false }) ? answer : undefined
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

/** The same of many tokens. @param ask answers calls in their order, of one block @throws as `ask` does */
export async function readManyTokenFacts(
  addresses: readonly Address[],
  ask: (calls: readonly ViewCall[]) => Promise<readonly ViewAnswer[]>,
): Promise<TokenFacts[]> {
  const answers = await ask(addresses.flatMap((to) => getters.map((data) => ({ to, data }))))
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
