import { type Address, Failure } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { readContract } from '../chain/readContract.ts'
import { poolCreatedTopic } from '../doctor/findLogBefore.ts'
import { decodeLog } from '../indexer/decodeLog.ts'
import { type LogScan, scanLogs } from './scanLogs.ts'

/** Ranges that are read for new pools when the node does not answer all of them at once. */
const requestsMax = 60
const createdMax = 20_000

/** A pool that the factory knows, as it is now. */
export type SurveyedPool = {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  readonly fee: number
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
}

/** `createdAt`: the block of the first pool that was seen made. */
export type PoolSurvey = {
  readonly pools: readonly SurveyedPool[]
  readonly createdAt: number | undefined
  /** Whether there may be pools that were not looked at. */
  readonly hasMore: boolean
}

export type PoolQuestion = {
  readonly factory: Address
  readonly startBlock: number
  readonly head: number
  readonly width: number
  /** Traded contracts, the most traded first. */
  readonly traded: Iterable<Address>
  readonly poolsMax: number
}

/** An exchange's pools: the most traded ones, then the oldest. Only those that the factory itself names are believed. */
export async function readPools(
  chain: Pick<Chain, 'forward'>,
  calls: Pick<Chain, 'forward'>,
  { factory, startBlock, head, width, traded, poolsMax }: PoolQuestion,
): Promise<PoolSurvey> {
  const { logs, isComplete } = await readCreated(chain, { factory, from: startBlock, to: head, width })
  const created = logs.flatMap((log) => {
    const event = decodeLog(log)
    return event?.kind === 'poolCreated' ? [event.pool] : []
  })
  const all = [...new Set([...traded, ...created])]
  const read = await Promise.all(all.slice(0, poolsMax).map((address) => readPool(calls, factory, address)))
  return {
    pools: read.flatMap((pool) => pool ?? []),
    createdAt: logs[0]?.blockNumber,
    hasMore: !isComplete || all.length > poolsMax,
  }
}

type Stretch = { readonly factory: Address; readonly from: number; readonly to: number; readonly width: number }

/** All at once where the node answers that, else range by range: some give up in silence over the whole chain. */
async function readCreated(chain: Pick<Chain, 'forward'>, { factory, from, to, width }: Stretch): Promise<LogScan> {
  const question = { from, to, topics: [poolCreatedTopic], contracts: [factory] }
  const all = await scanLogs(chain, question, { width: to - from + 1, requestsMax: 1, logsMax: createdMax }).catch(toNothing)
  return all.isComplete ? all : scanLogs(chain, question, { width, requestsMax, logsMax: createdMax })
}

function toNothing(error: unknown): LogScan {
  if (!(error instanceof Failure)) throw error
  return { logs: [], isComplete: false }
}

async function readPool(calls: Pick<Chain, 'forward'>, factory: Address, address: Address): Promise<SurveyedPool | undefined> {
  const [token0, token1, fee, sqrtPriceX96, liquidity] = await Promise.all([
    readContract(calls, { to: address, name: 'token0' }),
    readContract(calls, { to: address, name: 'token1' }),
    readContract(calls, { to: address, name: 'fee' }),
    readContract(calls, { to: address, name: 'slot0' }),
    readContract(calls, { to: address, name: 'liquidity' }),
  ])
  if (!token0 || !token1 || fee === undefined || !sqrtPriceX96 || liquidity === undefined) return undefined
  const named = await readContract(calls, { to: factory, name: 'getPool', args: [token0, token1, fee] })
  return named === address ? { address, token0, token1, fee, sqrtPriceX96, liquidity } : undefined
}
