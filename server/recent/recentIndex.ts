import { rmSync } from 'node:fs'
import { daySeconds, Failure, hourSeconds, supervise } from '@chainboard/core'
import type { FollowStatus, Reading } from '../indexer/followChain.ts'
import type { Known } from './buildIndex.ts'
import { measureGap } from './measureGap.ts'
import { resumeIndex } from './resumeIndex.ts'
import { checkMs, createServedIndex, type ServedIndex, type ServingDeps } from './servedIndex.ts'
import { createStageMaker, type MakerDeps, type Stage, type StageMaker } from './stageMaker.ts'

/** What is made first: prices of now, then what 24 hours need, then charts of 31 days. Each reaches an hour further than it has to. */
const stages = [
  { name: 'prices', seconds: 0 },
  { name: 'day', seconds: daySeconds + hourSeconds },
  { name: 'month', seconds: 31 * daySeconds + hourSeconds },
] as const satisfies readonly Stage[]

export type RecentDeps = MakerDeps & ServingDeps

/** Indexes of the newest blocks, which answer while the history is still read. */
export type RecentIndex = {
  /** Resolves when the history's turn has come: what can be made of the newest blocks is made, or is not wanted. */
  readonly settled: Promise<void>
  /** How the index that answers stands to the chain; undefined while none of these answers. */
  status(): FollowStatus | undefined
  /** Why the newest blocks are not read; undefined when they are. */
  trouble(): FollowStatus['trouble']
  /** Of the stage that is made now; undefined after the last one. */
  reading(): Reading | undefined
  /** When the node last answered this part; unix milliseconds. */
  contactAtMs(): number | undefined
  /** The whole index has caught up: it answers from now on. */
  retire(): Promise<void>
  stop(): Promise<void>
}

/**
 * Makes a chain useful at once: an index of now, then one of the last day, then one of the last month answer one after the other, each followed
 * to the head, until the whole index has caught up.
 */
export function openRecentIndex(deps: RecentDeps): RecentIndex {
  const { log, nowMs, pause, folder, served } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const settled = Promise.withResolvers<void>()
  let isRetired = false
  const isOver = () => isRetired || signal.aborted
  const index = createServedIndex(deps, { signal, isOver })
  const maker = createStageMaker(deps, { signal, isOver, onGivenUp: settled.resolve })

  const run = async (): Promise<void> => {
    const resumed = index.current() ? undefined : await resumeIndex(deps, stages)
    const hasIndex = Boolean(resumed ?? index.current())
    const behindSeconds = await measureGap(deps, { signal, hasIndex, onTrouble: maker.noteTrouble })
    if (behindSeconds === undefined) return
    if (resumed)
      await index.serve(resumed).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error
      })
    while (!isOver()) {
      await makeStages({ maker, index }, behindSeconds)
      maker.clear()
      settled.resolve()
      while (!signal.aborted && !index.current()?.isLost()) await pause(checkMs, signal)
      if (!signal.aborted) await index.drop()
    }
  }

  const done = supervise(run, {
    ...{ signal, nowMs, pause },
    onFault: (err) => {
      log.error({ err }, 'Reading the newest blocks failed because of a bug')
      // The history is read all the same.
      settled.resolve()
    },
  }).finally(() => {
    maker.clear()
    if (!index.current()) rmSync(folder, { recursive: true, force: true })
    settled.resolve()
  })

  const stop = async () => {
    stopping.abort()
    await done
    await index.close()
  }
  return {
    settled: settled.promise,
    status: () => (isRetired || index.current()?.isEmptied() ? undefined : index.current()?.follower.status()),
    trouble: maker.trouble,
    reading: maker.reading,
    contactAtMs: maker.contactAtMs,
    async retire() {
      if (isRetired) return
      isRetired = true
      await served.serve({ store: deps.main, sinceSeconds: undefined })
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
    stop,
  }
}

type Parts = { readonly maker: StageMaker; readonly index: ServedIndex }

/** Makes the stages that reach further back than the index that answers, each from what was read for the one before. */
async function makeStages({ maker, index }: Parts, behindSeconds: number): Promise<void> {
  const known: Known = { pools: new Map(), tokens: new Map(), searched: false, starts: new Map() }
  for (const [place, stage] of stages.entries()) {
    if (place <= (index.current()?.place ?? -1)) continue
    // The whole index is there sooner than one that reaches further back than it lacks.
    if (stage.seconds >= behindSeconds) break
    if (!(await maker.make(stage, known, (file, built) => index.serve({ ...built, file, place })))) break
  }
}
