import type { Address } from '@chainboard/core'
import { deleteDoubtsOf, listDoubts, listPoolChecks, type PoolCheck, upsertPoolChecks } from '../store/poolChecks.ts'
import type { Pool } from '../store/pools.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import type { Difference } from './comparePool.ts'
import { comparePools } from './comparePools.ts'
import { createTicks, type Ticks, type TicksDeps } from './createTicks.ts'
import { forgetChecks, pickPools } from './pickPools.ts'

/** Pools in one look: four calls each, in one multicall. */
const poolsPerLook = 100
const doubtsLoaded = 1_000

/** What one comparison has found of the pools whose turn it was; of others, and of those that did not answer, nothing. */
export type Compared = {
  readonly agreeing: readonly Pool[]
  readonly differ: ReadonlyMap<Address, Difference>
}

type At = { readonly block: BlockRef; readonly pools: ReadonlyMap<Address, Pool> }

/** Compares pools with their contracts, some in each look, and keeps up to which block each of them agreed. */
export type PoolChecks = {
  /** Reads earlier comparisons from the store, once. @throws Failure of the store */
  load(): Promise<void>
  /** Compares the next pools, and the next ticks. @throws Failure `rpc-…` when a node does not answer about the pools */
  compare(at: At & { readonly turn: number }): Promise<Compared>
  /**
   * Stores a comparison, and deletes doubts about pools that agree in all.
   * @returns these pools
   * @throws Failure of the store
   */
  note(compared: Compared, at: At): Promise<readonly Address[]>
  /** Up to here the pool agreed with its contract; undefined of one that was not compared yet. */
  checkedBlock(pool: Address): number | undefined
  /** Up to here all these pools agreed; undefined until all were compared. */
  verifiedBlock(pools: readonly Pool[], end: number): number | undefined
  /** Pools that differed when they were compared last. */
  suspects(): number
  /** The index ends here now: what was compared later says nothing. */
  rolledBack(to: number): void
  readonly ticks: Ticks
}

export type PoolChecksDeps = TicksDeps & { readonly factory: Address; readonly nowSeconds: () => number }

/** @param deps `factory`: its row among the stored checks is of the second reading; `nowSeconds`: the date */
export function createPoolChecks(deps: PoolChecksDeps): PoolChecks {
  const { store, factory, nowSeconds } = deps
  const ticks = createTicks(deps)
  const checks = new Map<Address, PoolCheck>()
  const differing = new Set<Address>()
  let [suspects, isLoaded] = [0, false]

  return {
    ticks,
    async load() {
      if (isLoaded) return
      for (const check of await listPoolChecks(store.read)) if (check.pool !== factory) checks.set(check.pool, check)
      for (const { pool, what } of await listDoubts(store.read, doubtsLoaded)) if (what === 'ticks') ticks.want(pool)
      isLoaded = true
    },
    async compare({ block, pools, turn }) {
      forgetChecks(checks, block.number)
      const picked = pickPools([...pools.values()], checks, poolsPerLook)
      const { agreed, differ } = await comparePools(deps, picked, { block, turn })
      await ticks.step(pools, turn)
      return { agreeing: picked.filter(({ address }) => agreed.has(address)), differ }
    },
    async note({ agreeing, differ }, { block, pools }) {
      const agreed = agreeing.map(({ address }) => address)
      for (const pool of agreed) differing.delete(pool)
      for (const pool of differ.keys()) differing.add(pool)
      suspects = new Set([...differing, ...ticks.listOpen()]).size
      const news = agreed.map((pool) => ({ pool, blockNumber: block.number, atSeconds: nowSeconds() }))
      for (const check of news) checks.set(check.pool, check)
      const fitting = agreed.filter((pool) => ticks.isSettled(pool))
      const settled = fitting.filter((pool) => pools.get(pool)?.feeGrowth0 !== undefined)
      await store.write(async (tx) => {
        await upsertPoolChecks(tx, news)
        await deleteDoubtsOf(tx, settled)
        // Without fee growth an event may be missing all the same, but nothing of these.
        await deleteDoubtsOf(tx, fitting, ['price', 'liquidity in range', 'ticks'])
      })
      return settled
    },
    checkedBlock: (pool) => checks.get(pool)?.blockNumber,
    verifiedBlock(pools, end) {
      const blocks = pools.map(({ address }) => checks.get(address)?.blockNumber)
      return blocks.every((block) => block !== undefined) ? Math.min(end, ...blocks) : undefined
    },
    suspects: () => suspects,
    rolledBack: (to) => forgetChecks(checks, to),
  }
}
