import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { ask } from './ask.ts'
import type { Limits, UsableNode } from './doctorRun.ts'

/** Halvings of a chain's length; 2^40 blocks are more than any chain has. */
const stepsMax = 40

/** Whether a contract is at an address. @param block the newest when absent */
export async function hasCodeAt({ forward }: Pick<Chain, 'forward'>, address: Address, block?: number): Promise<boolean> {
  const code = await forward('eth_getCode', [address, block === undefined ? 'latest' : `0x${block.toString(16)}`])
  return typeof code === 'string' && code.length > 2
}

/**
 * The block that put a contract on the chain, by halving between blocks with and without it.
 * @param guess tried first: most files name that very block
 * @returns undefined when the node does not keep states that old
 */
export async function findCreationBlock(
  limits: Limits,
  node: UsableNode,
  address: Address,
  guess: number,
): Promise<number | undefined> {
  const { chain, headNumber } = node
  const has = async (block: number) => (await ask(node, () => hasCodeAt(chain, address, block), limits)).value
  // Without: the contract is not there yet. From -1 on, since block 0 may hold it.
  let without = -1
  let withIt = headNumber
  for (const block of [guess, guess - 1]) {
    if (block < 0 || block > headNumber) continue
    const there = await has(block)
    if (there === undefined) return undefined
    if (there) withIt = Math.min(withIt, block)
    else without = Math.max(without, block)
  }
  for (let step = 0; withIt - without > 1 && step < stepsMax; step += 1) {
    if (limits.signal.aborted) return undefined
    const middle = Math.floor((without + withIt) / 2)
    const there = await has(middle)
    if (there === undefined) return undefined
    if (there) withIt = middle
    else without = middle
  }
  return withIt
}
