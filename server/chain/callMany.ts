import { setImmediate } from 'node:timers/promises'
import { type Address, Failure, type Hex } from '@chainboard/core'
import { decodeFunctionResult, encodeFunctionData, isHex, parseAbi } from 'viem'
import type { Chain } from './chain.ts'
import { isRevert } from './isRevert.ts'
import { mapAtOnce } from './mapAtOnce.ts'

/** Calls in one multicall: with 30,000 gas each far below what nodes let a call burn, and an answer of 80 KB. */
const callsPerMulticall = 512
/** Calls that are asked one by one but travel in one request. */
const callsPerRequest = 50
const requestsAtOnce = 4

const abi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Answer { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Answer[] answers)',
])

/** One question to a contract. */
export type ViewCall = { readonly to: Address; readonly data: Hex }

/** What a contract answered, unread; undefined when it reverted. Where no contract stands the answer is `0x`. */
export type ViewAnswer = Hex | undefined

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
  const written: { readonly count: number; readonly data: Hex }[] = []
  for (const chunk of cut(calls, callsPerMulticall)) {
    // To write one takes viem some 5 ms: between two, others have their turn.
    if (written.length > 0) await setImmediate()
    written.push({ count: chunk.length, data: writeTogether(chunk) })
  }
  const together = await mapAtOnce(written, requestsAtOnce, async ({ count, data }) => {
    const answers = await askTogether(chain, { to: multicall, data }, { count, block })
    return answers ?? Array.from({ length: count }, () => undefined)
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
  call: ViewCall,
  { count, block }: { readonly count: number; readonly block: Moment },
): Promise<ViewAnswer[] | undefined> {
  try {
    return readTogether(await ask(chain, call, block), count)
  } catch (error) {
    if (error instanceof Failure && (error.code === 'rpc-refused' || error.code === 'rpc-range-too-wide')) return undefined
    throw error
  }
}

function writeTogether(calls: readonly ViewCall[]): Hex {
  const args = [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))] as const
  return encodeFunctionData({ abi, functionName: 'aggregate3', args })
}

function readTogether(answer: Hex, count: number): ViewAnswer[] | undefined {
  try {
    const answers = decodeFunctionResult({ abi, functionName: 'aggregate3', data: answer })
    return answers.length === count ? answers.map(({ success, returnData }) => (success ? returnData : undefined)) : undefined
  } catch {
    // Nothing is there, or it is no multicall.
    return undefined
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
