import { makeFolder, removeFolder } from '../children.ts'
import { watchTree } from '../processTree.ts'
import { checkRows } from './chainFacts.ts'
import type { Indexer, Room, RunningIndexer } from './indexer.ts'

export type BackfillRun = {
  readonly indexer: Indexer
  readonly round: number
  /** From starting the process. */
  readonly startToCompleteSeconds: number
  /** From the moment its API was up. */
  readonly backfillSeconds: number
  readonly swaps: number
  /** Of the indexer's processes until complete; undefined where the system does not tell. */
  readonly cpuSeconds: number | undefined
  readonly peakRssBytes: number | undefined
  /** Of PostgreSQL in the same time. */
  readonly databaseCpuSeconds: number | undefined
}

/** What all runs share. */
export type Bench = Pick<Room, 'signal' | 'devnet' | 'postgres'>

/** Each indexer once in every round, the first one being another each time, so that no one always comes after the same other. */
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
      const run = await useIndexer(indexer, { ...bench, runId: `${round}_${place}` }, (room, startRunning) =>
        timeBackfill({ indexer, round, room, startRunning }),
      )
      runs.push(run)
      onRun(run)
    }
  }
  return runs
}

/** A room for one run of an indexer, emptied afterwards. `startRunning` may be called once. */
export async function useIndexer<T>(
  indexer: Indexer,
  bench: Omit<Room, 'folder'>,
  work: (room: Room, startRunning: () => Promise<RunningIndexer>) => Promise<T>,
): Promise<T> {
  const room = { ...bench, folder: makeFolder('run') }
  let running: RunningIndexer | undefined
  try {
    return await work(room, async () => {
      running = await indexer.start(room)
      return running
    })
  } finally {
    await running?.stop()
    removeFolder(room.folder)
  }
}

type Timed = {
  readonly indexer: Indexer
  readonly round: number
  readonly room: Room
  readonly startRunning: () => Promise<RunningIndexer>
}

async function timeBackfill({ indexer, round, room, startRunning }: Timed): Promise<BackfillRun> {
  const database = indexer.store === 'PostgreSQL' && room.postgres ? watchTree(room.postgres.pid) : undefined
  const running = await startRunning()
  const startedAt = running.startedAt
  const watch = watchTree(running.pid)
  const [listeningAt, completeAt] = [await running.listening, await running.complete]
  const [use, databaseUse] = [watch.end(), database?.end()]
  checkRows(`${indexer.name} on ${indexer.store}`, await running.countRows(), room.facts)
  return {
    indexer,
    round,
    startToCompleteSeconds: (completeAt - startedAt) / 1_000,
    backfillSeconds: (completeAt - listeningAt) / 1_000,
    swaps: room.facts.rows.swaps,
    cpuSeconds: use?.cpuSeconds,
    peakRssBytes: use?.peakRssBytes,
    databaseCpuSeconds: databaseUse?.cpuSeconds,
  }
}
