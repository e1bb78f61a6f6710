import type { Address, Hex } from '@chainboard/core'
import type { ViewAnswer } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { callAt } from './callAt.ts'

/** What a pool's contract holds at a block. */
export type PoolReading = {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  readonly feeGrowth0: bigint
  readonly feeGrowth1: bigint
}

/** Selectors of `slot0()`, `liquidity()`, `feeGrowthGlobal0X128()`, `feeGrowthGlobal1X128()`. */
const selectors: readonly Hex[] = ['0x3850c7bd', '0x1a686502', '0xf3058399', '0x46141319']

/**
 * Asks pools where they are at a block that the index holds.
 * @returns nothing for a pool that does not answer as one
 * @throws Failure `rpc-…` when the node no longer has the block's state, or another block of that number
 */
export async function readPoolStates(
  node: Pick<Chain, 'forward' | 'readHeader'>,
  pools: readonly Address[],
  at: { block: BlockRef; multicall: Address },
): Promise<Map<Address, PoolReading>> {
  const calls = pools.flatMap((to) => selectors.map((data) => ({ to, data })))
  const answers = await callAt(node, calls, at)
  const readings = new Map<Address, PoolReading>()
  pools.forEach((pool, i) => {
    const reading = toReading(answers.slice(i * selectors.length, (i + 1) * selectors.length))
    if (reading) readings.set(pool, reading)
  })
  return readings
}

function toReading(answers: readonly ViewAnswer[]): PoolReading | undefined {
  const [slot0, liquidity, growth0, growth1] = answers
  if (!slot0 || slot0.length < 130) return undefined
  if (liquidity?.length !== 66 || growth0?.length !== 66 || growth1?.length !== 66) return undefined
  return {
    sqrtPriceX96: BigInt(slot0.slice(0, 66)),
    tick: Number(BigInt.asIntN(24, BigInt(`0x${slot0.slice(66, 130)}`))),
    liquidity: BigInt(liquidity),
    feeGrowth0: BigInt(growth0),
    feeGrowth1: BigInt(growth1),
  }
}
