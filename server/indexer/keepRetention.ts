import { repeatTurns } from '@chainboard/core'
import { findKeptSince, type KeptSince } from '../store/keptSince.ts'
import { noteKept, openPruning, type PruneDeps } from './pruneIndex.ts'

/** How often the server looks whether another month is too old. */
const lookEveryMs = 60_000
/** After a failure, and while the index has something else to do. */
const retryMs = 5_000
/** Rows of one transaction, at most and at first. */
export const rowsMax = 500
const rowsFirst = 100
/** A transaction should take no longer than this: others wait for it. Batches become half after one that did. */
const tookMsWanted = 30
/** Between two transactions there is a rest of so many times what the last one took, and so long at least: others have most of the time. */
const rest = { times: 4, msMin: 20 }

export type KeepRetentionDeps = Omit<PruneDeps, 'retention'> & {
  /** Absent: nothing more is deleted. The status still tells what was deleted before. */
  readonly retention: PruneDeps['retention'] | undefined
  /** Whether the index has all of the chain, and has nothing else to do than to follow it. */
  readonly isIdle: () => boolean
  readonly log: Record<'info' | 'warn' | 'error', (facts: object, text: string) => void>
  /** A clock that never goes back. */
  readonly nowMs: () => number
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

export type RetentionKeeper = { kept(): KeptSince; stop(): Promise<void> }

/** Deletes rows that are too old, a few at a time, while the server follows and serves. */
export function keepRetention(deps: KeepRetentionDeps): RetentionKeeper {
  const { store, retention, log, nowMs, pause } = deps
  let kept: KeptSince = { swaps: undefined, hours: undefined }
  /** What all older rows are deleted for already. */
  let done: KeptSince | undefined
  let rows = rowsFirst

  const prune = async (since: KeptSince, signal: AbortSignal): Promise<void> => {
    const next = await openPruning(store, since, nowMs)
    for (;;) {
      const pruned = signal.aborted || !deps.isIdle() ? 'not now' : await next(rows)
      if (pruned === 'done') done = since
      if (typeof pruned !== 'number') return
      rows = pruned > tookMsWanted ? Math.max(1, Math.floor(rows / 2)) : Math.min(rowsMax, rows + Math.ceil(rows / 8))
      await pause(Math.max(rest.msMin, pruned * rest.times), signal)
    }
  }
  /** @returns how long to wait for the next one */
  const turn = async (signal: AbortSignal): Promise<number> => {
    kept = await findKeptSince(store.read)
    // It may be another index by now.
    if (!isSame(kept, done)) done = undefined
    if (!retention) return lookEveryMs
    if (!deps.isIdle()) return retryMs
    const noted = await noteKept({ ...deps, retention })
    if (!noted) return lookEveryMs
    const isNew = !isSame(noted, kept)
    kept = noted
    if (isSame(noted, done)) return lookEveryMs
    if (isNew) log.info(noted, 'Swaps and hours before these times are no longer kept: they are being deleted')
    await prune(noted, signal)
    return isSame(noted, done) ? lookEveryMs : retryMs
  }
  const repeated = repeatTurns(turn, {
    ...{ nowMs, pause, log, retryMs },
    texts: {
      failure: 'Old rows cannot be deleted; the server retries every 5 s',
      bug: 'Deleting old rows failed because of a bug and restarts',
    },
  })
  return { kept: () => kept, stop: repeated.stop }
}

function isSame(a: KeptSince, b: KeptSince | undefined): boolean {
  return a.swaps === b?.swaps && a.hours === b?.hours
}
