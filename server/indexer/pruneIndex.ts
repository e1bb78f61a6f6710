import { findScope } from '../store/indexScope.ts'
import { findFirstEventTime, findKeptSince, type KeptSince, setKeptSince } from '../store/keptSince.ts'
import { findAsked } from '../store/oldDollars.ts'
import {
  deleteOldExchangeHours,
  deleteOldHours,
  deleteOldSwaps,
  findLastSwapOf,
  type HourTable,
  listLastHoursOf,
  listOldHours,
  listOldSwaps,
  type OldHour,
  type OldSwap,
} from '../store/oldRows.ts'
import type { Store, Tx } from '../store/store.ts'
import { findCursor, lockCursor } from '../store/syncCursor.ts'
import { findLastBlockBefore, findLastEventTime } from '../store/transactions.ts'

/** Whole months that are kept, not counting the month of the newest event. Absent: all. */
export type Retention = { readonly swapMonths: number; readonly hourMonths?: number | undefined }

export type PruneDeps = {
  readonly store: Store
  readonly retention: Retention
  /** Newer blocks may still change: they decide nothing. */
  readonly confirmations: number
  /** Whether an index of this name is of this exchange: one that is about to be set aside is not. */
  readonly isOurs: (identity: string) => boolean
}

/** The first moment of the month so many months before a moment; unix seconds. */
export function toMonthBefore(seconds: number, months: number): number {
  const date = new Date(seconds * 1_000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months) / 1_000
}

/**
 * Notes from when on rows are kept, as far as the index has grown beyond it. Nothing is deleted before it is noted, so that nobody takes
 * what is gone for what never was. It follows from the chain's events and the setting alone.
 * @returns undefined while nothing may be deleted: the index is empty, of listed tokens, or being valued again
 */
export async function noteKept(deps: PruneDeps): Promise<KeptSince | undefined> {
  const wanted = await deps.store.readConsistently((tx) => findWanted(tx, deps))
  if (!wanted?.isNew) return wanted?.kept
  return deps.store.write(async (tx) => {
    // From here on no block comes, none goes, and none is asked to be valued again.
    await lockCursor(tx)
    const now = await findWanted(tx, deps)
    if (now?.isNew) for (const kind of ['swaps', 'hours'] as const) await note(tx, kind, now.kept[kind])
    return now?.kept
  })
}

async function note(tx: Tx, kind: keyof KeptSince, since: number | undefined): Promise<void> {
  if (since !== undefined) await setKeptSince(tx, kind, since)
}

async function findWanted(tx: Tx, { retention, confirmations, isOurs }: PruneDeps) {
  const cursor = await findCursor(tx)
  if (!cursor?.block || !isOurs(cursor.identity) || !(await mayDelete(tx))) return undefined
  const [first, last] = [await findFirstEventTime(tx), await findLastEventTime(tx, cursor.block.number - confirmations)]
  const before = await findKeptSince(tx)
  const since = (months: number | undefined, known: number | undefined) => {
    if (months === undefined || first === undefined || last === undefined) return known
    const wanted = toMonthBefore(last, months)
    return wanted > first && wanted > (known ?? 0) ? wanted : known
  }
  const kept = { swaps: since(retention.swapMonths, before.swaps), hours: since(retention.hourMonths, before.hours) }
  return { kept, isNew: kept.swaps !== before.swaps || kept.hours !== before.hours }
}

/** Pools of an index of listed tokens may still be added, with all of their past; blocks that are valued again need theirs. */
async function mayDelete(tx: Tx): Promise<boolean> {
  const scope = await findScope(tx)
  return scope !== undefined && scope.tokens === undefined && (await findAsked(tx)) === undefined
}

/** `done`: nothing is left to delete. `not now`: nothing may be deleted. A number: some rows are, in one transaction that took so many milliseconds. */
export type Pruned = 'done' | 'not now' | number

/**
 * Deletes what is older than is kept, table by table and from the oldest row on. Whatever ends it, one from the beginning ends with the same
 * rows.
 * @returns deletes the next rows; of so many at most it looks whether they may go
 */
export async function openPruning(
  store: Store,
  kept: KeptSince,
  nowMs: () => number,
): Promise<(limit: number) => Promise<Pruned>> {
  const toBlock = kept.swaps === undefined ? undefined : await findLastBlockBefore(store.read, kept.swaps)
  const passes: Pass[] = []
  if (kept.swaps !== undefined && toBlock !== undefined) passes.push(createSwapPass(store, kept.swaps, toBlock))
  if (kept.hours !== undefined) {
    passes.push(createHourPass(store, 'pool_hours', kept.hours), createHourPass(store, 'token_hours', kept.hours))
    passes.push(createExchangePass(kept.hours))
  }
  return async (limit) => {
    for (;;) {
      const [pass] = passes
      if (!pass) return 'done'
      const found = await pass(limit)
      const tookMs = found && (await removeTimed(store, found.remove, nowMs))
      if (found && tookMs === undefined) return 'not now'
      if (!found?.commit()) passes.shift()
      if (tookMs !== undefined) return tookMs
    }
  }
}

/** @returns milliseconds of the transaction alone: another one may have been waited for; undefined when nothing may be deleted now */
async function removeTimed(store: Store, remove: (tx: Tx) => Promise<void>, nowMs: () => number): Promise<number | undefined> {
  let startedMs = 0
  const isDone = await store.write(async (tx) => {
    startedMs = nowMs()
    if (!(await mayDelete(tx))) return false
    await remove(tx)
    return true
  })
  return isDone ? nowMs() - startedMs : undefined
}

/** `remove` deletes rows that do not stay; `commit` goes behind them, and tells whether there may be more. */
type Batch = { remove(tx: Tx): Promise<void>; commit(): boolean }
/** Reads the next rows of a table; undefined when there are none. */
type Pass = (limit: number) => Promise<Batch | undefined>

function createSwapPass({ read }: Store, beforeSeconds: number, toBlock: number): Pass {
  let after: Pick<OldSwap, 'block' | 'log'> = { block: -1, log: -1 }
  const staying = new Map<string, Pick<OldSwap, 'block' | 'log'> | undefined>()
  return async (limit) => {
    const found = await listOldSwaps(read, { after, toBlock, limit })
    const last = found.at(-1)
    if (!last) return undefined
    for (const { pool } of found) if (!staying.has(pool)) staying.set(pool, await findLastSwapOf(read, pool, beforeSeconds))
    const old = found.filter(({ pool, block, log }) => {
      const stays = staying.get(pool)
      return stays?.block !== block || stays.log !== log
    })
    return {
      remove: (tx) => deleteOldSwaps(tx, old),
      commit: () => {
        after = last
        return found.length === limit
      },
    }
  }
}

function createHourPass({ read }: Store, table: HourTable, beforeSeconds: number): Pass {
  let after: OldHour = { of: '0x', start: -1 }
  const staying = new Map<string, readonly number[]>()
  return async (limit) => {
    const found = await listOldHours(read, table, { after, beforeSeconds, limit })
    const last = found.at(-1)
    if (!last) return undefined
    for (const { of } of found) if (!staying.has(of)) staying.set(of, await listLastHoursOf(read, table, of, beforeSeconds))
    const old = found.filter(({ of, start }) => !staying.get(of)?.includes(start))
    return {
      remove: (tx) => deleteOldHours(tx, table, old),
      commit: () => {
        after = last
        return true
      },
    }
  }
}

function createExchangePass(beforeSeconds: number): Pass {
  return async (limit) => {
    let deleted = 0
    return {
      remove: async (tx) => {
        deleted = await deleteOldExchangeHours(tx, beforeSeconds, limit)
      },
      commit: () => deleted === limit,
    }
  }
}
