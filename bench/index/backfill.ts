import { makeFolder, removeFolder } from '../children.ts'
import { watchTree } from '../processTree.ts'
import { checkRows } from './chainFacts.ts'
import type { Indexer, Room, RunningIndexer } from './indexer.ts'

/** How long one indexer took, and what it used. */
export type BackfillRun = {
  readonly indexer: Indexer
  readonly round: number
  /** From starting the process. */
  readonly startToCompleteSeconds: number
  /** From the moment its API was up. */
  readonly backfillSeconds: number
  readonly swaps: number
  /** Of the indexer's processes until complete; undefined where the system does not state it. */
  readonly cpuSeconds: number | undefined
  readonly peakRssBytes: number | undefined
  /** Of PostgreSQL in the same time. */
  readonly databaseCpuSeconds: number | undefined
}

/** What all runs share. */
export type Bench = Pick<Room, 'signal' | 'devnet' | 'postgres'>

/** Runs each indexer once in every round. Each round starts with another one, so that none always follows the same other. */
export async function runBackfills(
  bench: Bench & Pick<Room, 'facts'>,
  indexers: readonly Indexer[],
  rounds: number,
  onRun: (run: BackfillRun) => void,
): Promise<BackfillRun[]> {
  const runs: BackfillRun[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const shift = (round - 1) % indexers.length
    const order = [...indexers.slice(shift), ...indexers.slice(0, shift)]
    for (const [place, indexer] of order.entries()) {
      const room = { ...bench, runId: `${round}_${place}` }
      const run = await useIndexer(indexer, room, (running) => timeBackfill(indexer, running, { ...room, round }))
      runs.push(run)
      onRun(run)
    }
  }
  return runs
}

/** Runs an indexer in a new folder, and ends and removes both afterwards. */
export async function useIndexer<T>(
  indexer: Indexer,
  room: Omit<Room, 'folder'>,
  work: (running: RunningIndexer) => Promise<T>,
): Promise<T> {
  const folder = makeFolder('run')
  let running: RunningIndexer | undefined
  try {
    running = await indexer.start({ ...room, folder })
    return await work(running)
  } finally {
    await running?.stop()
    removeFolder(folder)
  }
}

type Context = Pick<Room, 'facts' | 'postgres'> & { readonly round: number }

async function timeBackfill(
  indexer: Indexer,
  running: RunningIndexer,
  { facts, postgres, round }: Context,
): Promise<BackfillRun> {
  const watch = watchTree(running.pid)
  const database = indexer.store === 'PostgreSQL' && postgres ? watchTree(postgres.pid) : undefined
  const { listeningAt, completeAt } = await running.complete
  const [use, databaseUse] = [watch.end(), database?.end()]
  checkRows(`${indexer.name} on ${indexer.store}`, await running.countRows(), facts)
  return {
    indexer,
    round,
    startToCompleteSeconds: (completeAt - running.startedAt) / 1_000,
    backfillSeconds: (completeAt - listeningAt) / 1_000,
    swaps: facts.rows.swaps,
    cpuSeconds: use?.cpuSeconds,
    peakRssBytes: use?.peakRssBytes,
    databaseCpuSeconds: databaseUse?.cpuSeconds,
  }
}
