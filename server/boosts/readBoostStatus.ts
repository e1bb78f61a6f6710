import { type Address, Failure, type Hex } from '@chainboard/core'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { askAlone } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'

const abi = parseAbi(['function getBatchBoostStatus(address[] tokens) view returns (bool[] boosted, uint256[] expirations)'])

/** Tokens in one call: 2 million gas of the contract, far below what nodes let a call burn. */
const tokensPerCall = 500

export type StatusQuery = { readonly contract: Address; readonly tokens: readonly Address[]; readonly block: number }

/**
 * Asks the contract which of the tokens are boosted at the end of a block.
 * @returns the ends of their boosts in unix seconds, the latest first
 * @throws Failure of the codes `rpc-…` when the node, or what stands at the address, does not answer
 */
export async function readBoostStatus(
  chain: Pick<Chain, 'forward'>,
  { contract, tokens, block }: StatusQuery,
): Promise<ReadonlyMap<Address, number>> {
  const chunks = Array.from({ length: Math.ceil(tokens.length / tokensPerCall) }, (_, i) =>
    tokens.slice(i * tokensPerCall, (i + 1) * tokensPerCall),
  )
  const answers = await Promise.all(
    chunks.map(async (chunk) => {
      const data = encodeFunctionData({ abi, functionName: 'getBatchBoostStatus', args: [chunk] })
      return decode(await askAlone(chain, { to: contract, data }, block), chunk)
    }),
  )
  return new Map(answers.flat().toSorted(([, a], [, b]) => b - a))
}

function decode(answer: Hex | undefined, tokens: readonly Address[]): (readonly [Address, number])[] {
  const [boosted, expirations] = readAnswer(answer)
  if (boosted.length !== tokens.length || expirations.length !== tokens.length) throw noAnswer()
  return tokens.flatMap((token, i) => (boosted[i] ? [[token, Number(expirations[i])] as const] : []))
}

function readAnswer(answer: Hex | undefined): readonly [readonly boolean[], readonly bigint[]] {
  if (answer === undefined) throw noAnswer()
  try {
    return decodeFunctionResult({ abi, functionName: 'getBatchBoostStatus', data: answer })
  } catch (error) {
    throw noAnswer(error)
  }
}

function noAnswer(cause?: unknown): Failure {
  return new Failure('rpc-refused', 'The boost contract does not say who is boosted', { retryable: true, cause })
}
