import { type Address, Failure, type Hex } from '@chainboard/core'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { type CallManyOptions, callMany, type ViewAnswer, type ViewCall } from '../../../chain/callMany.ts'
import type { Header } from '../../../chain/chain.ts'
import { mapAtOnce } from '../../../chain/mapAtOnce.ts'
import type { SourceChain } from '../../sourceDefinition.ts'
import type { Feed } from './feedFields.ts'

const abi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function decimals() view returns (uint8)',
])
const questions = ['latestRoundData', 'decimals'] as const
const data = questions.map((functionName) => encodeFunctionData({ abi, functionName }))
const callsAtOnce = 4

/** What an aggregator says, unjudged. `updatedAt`: unix seconds. */
export type Round = { readonly roundId: bigint; readonly answer: bigint; readonly updatedAt: bigint }

/**
 * What was read of one feed. `round`: `nothing` where no contract answers, `refused` where it reverts or answers something else.
 * `decimals` is undefined where it does not say them.
 */
export type FeedReading = {
  readonly feed: Feed
  readonly round: Round | 'nothing' | 'refused'
  readonly decimals: number | undefined
}

/**
 * All feeds at the newest block, in one multicall where the chain has one.
 * @throws Failure of the codes `rpc-…` when the node does not answer; never for what a single aggregator does
 */
export async function readFeeds(
  chain: SourceChain,
  feeds: readonly Feed[],
  multicall: Address,
): Promise<{ readonly head: Header; readonly readings: readonly FeedReading[] }> {
  const head = await chain.readHead()
  const calls = feeds.flatMap(({ aggregator }) => data.map((question) => ({ to: aggregator, data: question })))
  const answers = await askAll(chain, calls, { multicall, block: head.number })
  const readings = feeds.map((feed, i) => ({
    feed,
    round: decodeRound(answers[2 * i]),
    decimals: decodeDecimals(answers[2 * i + 1]),
  }))
  return { head, readings }
}

async function askAll(chain: SourceChain, calls: readonly ViewCall[], options: CallManyOptions): Promise<ViewAnswer[]> {
  try {
    return await callMany(chain, calls, options)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const answers = await mapAtOnce(calls, callsAtOnce, (call) => askOne(chain, call, options))
    // Refused one and all, it is the node that does not answer.
    if (answers.every((answer) => answer === undefined)) throw error
    return answers
  }
}

/** A contract can make a node refuse its call: by an answer that is too large, or by all of the gas. */
async function askOne(chain: SourceChain, call: ViewCall, options: CallManyOptions): Promise<ViewAnswer> {
  try {
    return (await callMany(chain, [call], options))[0]
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Failure && ['rpc-refused', 'rpc-range-too-wide', 'rpc-invalid'].includes(error.code)
}

function decodeRound(answer: ViewAnswer): FeedReading['round'] {
  if (answer === '0x') return 'nothing'
  if (answer === undefined || answer.length !== wordsLength(5)) return 'refused'
  try {
    const [roundId, price, , updatedAt] = decodeFunctionResult({ abi, functionName: 'latestRoundData', data: answer })
    return { roundId, answer: price, updatedAt }
  } catch {
    return 'refused'
  }
}

function decodeDecimals(answer: ViewAnswer): number | undefined {
  if (answer === undefined || answer.length !== wordsLength(1)) return undefined
  const decimals = BigInt(answer)
  return decimals <= 255n ? Number(decimals) : undefined
}

/** Hexadecimal digits of so many words, behind `0x`. */
function wordsLength(words: number): Hex['length'] {
  return 2 + words * 64
}
