import { type Address, Failure, type Hex } from '@chainboard/core'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { askAlone } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'

const abi = parseAbi([
  'function getBatchBoostStatus(address[] tokens) view returns (bool[] boosted, uint256[] expirations)',
  'function paused() view returns (bool)',
])

/** Tokens in one call: 2 million gas of the contract, far below what nodes let a call burn. */
const tokensPerCall = 500

export type StatusQuery = { readonly contract: Address; readonly tokens: readonly Address[]; readonly block: number }

/** `expirations`: the ends of the boosts in unix seconds, the latest first. `paused`: they move on as time does. */
export type BoostStatus = { readonly expirations: ReadonlyMap<Address, number>; readonly paused: boolean }

/**
 * Asks the contract which of the tokens are boosted at the end of a block, and whether it is paused.
 * @throws Failure of the codes `rpc-…` when the node, or what stands at the address, does not answer
 */
export async function readBoostStatus(
  chain: Pick<Chain, 'forward'>,
  { contract, tokens, block }: StatusQuery,
): Promise<BoostStatus> {
  const chunks = Array.from({ length: Math.ceil(tokens.length / tokensPerCall) }, (_, i) =>
    tokens.slice(i * tokensPerCall, (i + 1) * tokensPerCall),
  )
  const ask = (data: Hex) => askAlone(chain, { to: contract, data }, block)
  const [paused, ...answers] = await Promise.all([
    ask(encodeFunctionData({ abi, functionName: 'paused' })),
    ...chunks.map((chunk) => ask(encodeFunctionData({ abi, functionName: 'getBatchBoostStatus', args: [chunk] }))),
  ])
  const boosts = chunks.flatMap((chunk, i) => decode(answers[i], chunk))
  return {
    expirations: new Map(boosts.toSorted(([, a], [, b]) => b - a)),
    paused: readAnswer(paused, (data) => decodeFunctionResult({ abi, functionName: 'paused', data })),
  }
}

function decode(answer: Hex | undefined, tokens: readonly Address[]): (readonly [Address, number])[] {
  const [boosted, expirations] = readAnswer(answer, (data) =>
    decodeFunctionResult({ abi, functionName: 'getBatchBoostStatus', data }),
  )
  if (boosted.length !== tokens.length || expirations.length !== tokens.length) throw noAnswer()
  return tokens.flatMap((token, i) => (boosted[i] ? [[token, Number(expirations[i])] as const] : []))
}

function readAnswer<T>(answer: Hex | undefined, read: (data: Hex) => T): T {
  if (answer === undefined) throw noAnswer()
  try {
    return read(answer)
  } catch (error) {
    throw noAnswer(error)
  }
}

function noAnswer(cause?: unknown): Failure {
  return new Failure('rpc-refused', 'The boost contract did not return its boosts', { retryable: true, cause })
}
