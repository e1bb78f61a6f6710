import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import type { Pool } from '../store/pools.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { comparePool, type Difference } from './comparePool.ts'
import { nodeOf } from './nodeOf.ts'
import { readPoolStates } from './readPoolStates.ts'

export type Comparison = { readonly differ: ReadonlyMap<Address, Difference>; readonly agreed: ReadonlySet<Address> }

type Deps = { readonly nodes: readonly Chain[]; readonly multicall: Address }

/**
 * Compares pools of the index with their contracts at its last block. What differs at the node whose turn it is has to differ at
 * the next one, or again, before it counts.
 * @throws Failure `rpc-…` when a node does not answer
 */
export async function comparePools(
  deps: Deps,
  pools: readonly Pool[],
  at: { block: BlockRef; turn: number },
): Promise<Comparison> {
  const first = await ask(deps, pools, at)
  if (first.differ.size === 0) return first
  const open = pools.filter(({ address }) => first.differ.has(address))
  const second = await ask(deps, open, { ...at, turn: at.turn + 1 })
  return { agreed: first.agreed, differ: new Map([...first.differ].filter(([pool]) => second.differ.has(pool))) }
}

async function ask(deps: Deps, pools: readonly Pool[], { block, turn }: { block: BlockRef; turn: number }): Promise<Comparison> {
  const node = nodeOf(deps.nodes, turn)
  const addresses = pools.map(({ address }) => address)
  const readings = await readPoolStates(node, addresses, { multicall: deps.multicall, block })
  const differ = new Map<Address, Difference>()
  const agreed = new Set<Address>()
  for (const pool of pools) {
    const reading = readings.get(pool.address)
    const difference = reading && comparePool(pool, reading)
    if (difference) differ.set(pool.address, difference)
    else if (reading) agreed.add(pool.address)
  }
  return { differ, agreed }
}
