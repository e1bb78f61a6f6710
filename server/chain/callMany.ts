import { type Address, Failure, type Hex } from '@chainboard/core'
import { isHex } from 'viem'
import { decodeAggregate3, encodeAggregate3 } from './aggregate3.ts'
import type { Chain } from './chain.ts'
import { isRevert } from './isRevert.ts'
import { mapAtOnce } from './mapAtOnce.ts'
import type { ViewAnswer, ViewCall } from './viewCall.ts'

/** Calls in one multicall: with 30,000 gas each far below what nodes let a call burn, and an answer of 80 KB. */
const callsPerMulticall = 512
/** Calls that are asked one by one but travel in one request. */
const callsPerRequest = 50
const requestsAtOnce = 4

export type CallManyOptions = {
  /** The Multicall3 that runs them. Without a contract there they are asked one by one. */
  readonly multicall: Address
  readonly block: Moment
}

/** `latest`: the newest block of whatever node answers. */
type Moment = number | BlockHash | 'latest'

/** A block that no reorg turns into another one (EIP-1898). */
export type BlockHash = { readonly blockHash: Hex }

/**
 * Asks many contracts at one block, in one call of the node for each 512 of them.
 * Those that fail inside a multicall are asked once more, alone: another one may have burned the gas that they needed.
 * @returns an answer for each call, in their order
 * @throws Failure of the codes `rpc-…` when the node does not run them
 */
export async function callMany(
  chain: Pick<Chain, 'forward'>,
  calls: readonly ViewCall[],
  { multicall, block }: CallManyOptions,
): Promise<ViewAnswer[]> {
  const together = await mapAtOnce(cut(calls, callsPerMulticall), requestsAtOnce, async (chunk) => {
    const answers = await askTogether(chain, chunk, { multicall, block })
    return answers ?? chunk.map(() => undefined)
  })
  const answers = together.flat()
  const open = calls.flatMap((call, i) => (answers[i] === undefined ? [{ call, i }] : []))
  await mapAtOnce(cut(open, callsPerRequest), requestsAtOnce, (chunk) =>
    Promise.all(
      chunk.map(async ({ call, i }) => {
        answers[i] = await askAlone(chain, call, block)
      }),
    ),
  )
  return answers
}

/** One call by itself. */
export async function askAlone(chain: Pick<Chain, 'forward'>, call: ViewCall, block: Moment = 'latest'): Promise<ViewAnswer> {
  try {
    return await ask(chain, call, block)
  } catch (error) {
    if (isRevert(error)) return undefined
    throw error
  }
}

/** Undefined when no multicall runs: none is there, or all the calls are too much for the node at once. */
async function askTogether(
  chain: Pick<Chain, 'forward'>,
  calls: readonly ViewCall[],
  { multicall, block }: CallManyOptions,
): Promise<ViewAnswer[] | undefined> {
  try {
    const answer = await ask(chain, { to: multicall, data: encodeAggregate3(calls) }, block)
    // Undefined as well where nothing is there, or no multicall.
    return decodeAggregate3(answer, calls.length)?.map(({ success, returnData }) => (success ? returnData : undefined))
  } catch (error) {
    if (error instanceof Failure && (error.code === 'rpc-refused' || error.code === 'rpc-range-too-wide')) return undefined
    throw error
  }
}

async function ask({ forward }: Pick<Chain, 'forward'>, { to, data }: ViewCall, block: Moment): Promise<Hex> {
  const at = typeof block === 'number' ? `0x${block.toString(16)}` : block
  const answer = await forward('eth_call', [{ to, data }, at])
  return isHex(answer) ? answer : '0x'
}

function cut<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
