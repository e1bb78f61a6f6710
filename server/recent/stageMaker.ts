import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@chainboard/core'
import type { FollowDeps, FollowStatus, Reading } from '../indexer/followChain.ts'
import { createReadingPace } from '../indexer/readingPace.ts'
import type { Store } from '../store/store.ts'
import { isStoreFailure } from '../store/toStoreFailure.ts'
import { type BuildDeps, type BuildProgress, type BuiltIndex, buildIndex, type Known } from './buildIndex.ts'
import { createFoldShare } from './foldShare.ts'
import { hearChain } from './hearChain.ts'
import { createLogSpool } from './logSpool.ts'
import { removeFile } from './resumeIndex.ts'

/** Failures in a row of one stage after which the history does not wait for it any more, and it is tried seldom. */
const failuresMax = 5
const givenUpMs = 300_000
const backoffFirstMs = 1_000
const backoffMaxMs = 30_000
/** The log says as often as this how far a stage is. */
const logEveryMs = 60_000

/** What is made: an index that reaches back so many seconds; 0: of now alone. */
export type Stage = { readonly name: Reading['phase']; readonly seconds: number }

export type MakerDeps = Omit<BuildDeps, 'spool' | 'onProgress' | 'signal'> &
  Pick<FollowDeps, 'log' | 'nowMs' | 'pause'> & {
    /** For the files of these indexes; they are removed with them. */
    readonly folder: string
    readonly openStore: (file: string) => Promise<Store>
  }

type Life = {
  readonly signal: AbortSignal
  /** Whether none is wanted any more. */
  readonly isOver: () => boolean
  /** Called when the stage fails again and again: the history is read meanwhile. */
  readonly onGivenUp: () => void
}

/** Makes the small indexes, one after the other, and retries what fails. */
export type StageMaker = {
  /**
   * Makes the index of a stage, and hands it over in a file.
   * @param serve lets it answer. A failure of it is one of the stage, which is tried again
   * @returns whether it was made: not where the exchange is not that old, or when none is wanted any more
   */
  make(stage: Stage, known: Known, serve: (file: string, built: BuiltIndex) => Promise<void>): Promise<boolean>
  /** Of the stage that is made now; undefined while none is. */
  reading(): Reading | undefined
  trouble(): FollowStatus['trouble']
  noteTrouble(trouble: FollowStatus['trouble']): void
  /** When a node last answered; unix milliseconds. */
  contactAtMs(): number | undefined
  /** No stage is made for now: what was read for them is removed. */
  clear(): void
}

/** @param life when nothing more is to be made; `signal` also ends calls and waits */
export function createStageMaker(deps: MakerDeps, { signal, isOver, onGivenUp }: Life): StageMaker {
  const { log, nowMs, pause, folder } = deps
  const spool = createLogSpool(join(folder, 'logs'))
  const watch = createStageWatch(deps)
  let contactAtMs: number | undefined
  let answers = 0
  let trouble: FollowStatus['trouble']
  const chain = hearChain(deps.chain, () => {
    contactAtMs = nowMs()
    answers += 1
  })

  const build = async (stage: Stage, known: Known, onProgress: BuildDeps['onProgress']) => {
    const building = join(folder, 'building.db')
    removeFile(building)
    const store = await deps.openStore(building)
    const parts = { ...deps, chain, spool, signal, onProgress }
    const built = await buildIndex(parts, store, { ...stage, known }).finally(store.close)
    trouble = undefined
    if (!built) return undefined
    const file = join(folder, `${stage.name}.db`)
    removeFile(file)
    renameSync(building, file)
    return { file, built }
  }

  return {
    async make(stage, known, serve) {
      const see = watch.begin(stage)
      const tries = createTries()
      while (!isOver()) {
        try {
          const made = await build(stage, known, see)
          if (!made) return false
          const { file, built } = made
          await serve(file, built)
          const { poolCount, sinceSeconds } = built
          log.info({ stage: stage.name, pools: poolCount, sinceSeconds }, 'The newest blocks are indexed')
          return true
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          if (signal.aborted) return false
          // What was kept may be of a branch that the chain has left.
          if (error.code === 'rpc-invalid') {
            known.starts.clear()
            spool.clear()
          }
          const { isGivenUp, waitMs } = tries.fail({ read: watch.reading()?.read ?? 0, answers })
          if (trouble?.text !== error.message)
            log.warn({ stage: stage.name }, `The newest blocks cannot be read: ${error.message}`)
          trouble = toTrouble(error, trouble?.sinceMs ?? nowMs())
          if (isGivenUp) onGivenUp()
          await pause(waitMs, signal)
        }
      }
      return false
    },
    reading: watch.reading,
    trouble: () => trouble,
    noteTrouble(found) {
      trouble = found
    },
    contactAtMs: () => contactAtMs,
    clear() {
      watch.end()
      spool.clear()
    },
  }
}

/** A failure as the status shows it. @param sinceMs unix milliseconds */
export function toTrouble(failure: Failure, sinceMs: number): NonNullable<FollowStatus['trouble']> {
  return { kind: isStoreFailure(failure) ? 'store' : 'node', text: failure.message, sinceMs }
}

/** How long a stage that fails waits, doubling: `failuresMax` in a row, and it is given up for longer. */
function createTries() {
  let [failures, tries, readBefore, answersBefore] = [0, 0, 0, -1]
  return {
    /** @param read blocks so far @param answers of nodes so far */
    fail({ read, answers }: { readonly read: number; readonly answers: number }) {
      // A node that is away refuses nothing, and who got on has not failed in a row.
      if (answers > answersBefore) failures = read > readBefore ? 1 : failures + 1
      ;[readBefore, answersBefore] = [read, answers]
      tries += 1
      const isGivenUp = failures >= failuresMax
      return { isGivenUp, waitMs: Math.min(isGivenUp ? givenUpMs : backoffMaxMs, backoffFirstMs * 2 ** tries) }
    },
  }
}

/** How far the stage is that is made now, and how fast. */
function createStageWatch({ log, nowMs }: Pick<MakerDeps, 'log' | 'nowMs'>) {
  const share = createFoldShare()
  let reading: Reading | undefined
  return {
    begin({ name: phase }: Stage): (done: BuildProgress) => void {
      const pace = createReadingPace()
      let loggedAtMs = nowMs()
      reading = { phase, read: 0, blocks: 0, pace: undefined }
      return (done) => {
        share.see(done, nowMs())
        const { read, blocks } = share.weigh(done)
        const seen = pace.see({ atMs: nowMs(), block: read, events: 0 })
        reading = { phase, read, blocks, pace: seen ?? reading?.pace }
        if (nowMs() - loggedAtMs < logEveryMs) return
        loggedAtMs = nowMs()
        log.info({ ...reading }, 'Reading the newest blocks')
      }
    },
    reading: () => reading,
    end() {
      reading = undefined
    },
  }
}
