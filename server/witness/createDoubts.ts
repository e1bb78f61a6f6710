import type { Address } from '@chainboard/core'
import { type Doubt, insertDoubts, listDoubts } from '../store/poolChecks.ts'
import { findCreatedBlock, type Pool } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import type { Findings, Search } from './createFindings.ts'
import type { PoolChecks } from './createPoolChecks.ts'
import { findHole, type Hole, type HoleDeps, type Span } from './findHole.ts'

const searchFirstMs = 30_000
const searchMaxMs = 3_600_000
const doubtsShown = 100

/** A pool that is not as its contract is. `isStored`: as a doubt, already. */
type Suspect = { readonly pool: Address; readonly what: string; readonly isStored?: boolean }

/** One look at the index: as it is after a block, and whose turn it is among the nodes. */
export type Look = {
  readonly block: BlockRef
  readonly pools: ReadonlyMap<Address, Pool>
  readonly turn: number
  readonly search: Search
}

/** What does not fit of pools: looked for in the blocks of the index, and stored where no block explains it. */
export type Doubts = {
  /** Reads what is stored. @throws Failure of the store */
  read(): Promise<void>
  /** What was stored when it was read last, oldest first, the first 100. */
  list(): readonly Doubt[]
  /**
   * Looks for the block at which a pool began to differ, if none is found already and the pool's turn has come: after each search
   * without an end the next waits longer.
   * @throws Failure of the store
   */
  examine(suspect: Suspect, look: Look): Promise<void>
  /** Looks for what is wrong in the index of a pool up to a block, by its events. @throws Failure of the store */
  findHole(pool: Address, toBlock: number): Promise<Hole | undefined>
  /** These pools agree with their contracts again: a later difference is looked into at once. */
  settle(pools: readonly Address[]): void
}

export type DoubtsDeps = {
  readonly hole: HoleDeps
  readonly store: Store
  readonly checks: Pick<PoolChecks, 'checkedBlock' | 'ticks'>
  readonly findings: Findings
  readonly nowMs: () => number
  readonly nowSeconds: () => number
  readonly log: { warn(facts: object, text: string): void }
}

/** Waits between searches are kept in memory; doubts in the store. */
export function createDoubts({ hole, store, checks, findings, nowMs, nowSeconds, log }: DoubtsDeps): Doubts {
  const retryAt = new Map<Address, { readonly atMs: number; readonly waitMs: number }>()
  let stored: readonly Doubt[] = []

  const findByEvents = async (pool: Address, toBlock: number): Promise<Hole | undefined> => {
    const created = (await findCreatedBlock(store.read, pool)) ?? 0
    const doubt = stored.find((each) => each.pool === pool)
    const good = doubt ? undefined : checks.checkedBlock(pool)
    const span: Span = { pool, fromBlock: good !== undefined && good < toBlock ? good + 1 : created, toBlock }
    // What a doubted event did not fit lies before it.
    const before =
      doubt && doubt.blockNumber < toBlock ? await findHole(hole, { ...span, toBlock: doubt.blockNumber }) : undefined
    return before ?? findHole(hole, span)
  }

  /** The pool's contract shows where its ticks began to differ; where the states of earlier blocks are gone, all its events are read. */
  const findByTicks = async (pool: Address, { block, pools, turn }: Look): Promise<Hole | undefined> => {
    const known = pools.get(pool)
    const began = known && (await checks.ticks.findBlock(known, turn))
    const there = began === undefined ? undefined : await findHole(hole, { pool, fromBlock: began, toBlock: began })
    return there ?? findHole(hole, { pool, fromBlock: known?.createdBlock ?? 0, toBlock: block.number })
  }

  return {
    async read() {
      stored = await listDoubts(store.read, doubtsShown)
    },
    list: () => stored,
    async examine({ pool, what, isStored = false }, look) {
      const { number } = look.block
      const wait = retryAt.get(pool)
      if (look.search.isOver() || findings.found() !== undefined || (wait && wait.atMs > nowMs())) return
      const waitMs = Math.min(searchMaxMs, (wait?.waitMs ?? searchFirstMs / 2) * 2)
      retryAt.set(pool, { atMs: nowMs() + waitMs, waitMs })
      log.warn({ pool, what, block: number }, 'A pool differs from its contract: looking for the block')
      await findings.find(look.search, number, () => (what === 'ticks' ? findByTicks(pool, look) : findByEvents(pool, number)))
      if (look.search.isVoid() || findings.found() !== undefined || isStored) return
      await store.write((tx) => insertDoubts(tx, [{ pool, blockNumber: number, what, sinceSeconds: nowSeconds() }]))
    },
    findHole: findByEvents,
    settle(pools) {
      for (const pool of pools) retryAt.delete(pool)
    },
  }
}
