import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { daySeconds, Failure, hourSeconds, supervise } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import {
  type FollowDeps,
  type Follower,
  type FollowStatus,
  followChain,
  type Reading,
  type TroubleKind,
} from '../indexer/followChain.ts'
import { createReadingPace } from '../indexer/readingPace.ts'
import type { IndexSwitch } from '../store/indexSwitch.ts'
import type { Store } from '../store/store.ts'
import { findCursor } from '../store/syncCursor.ts'
import { isStoreFailure } from '../store/toStoreFailure.ts'
import { type BuildDeps, type BuildProgress, type BuiltIndex, buildIndex, type Known } from './buildIndex.ts'
import { createFoldShare } from './foldShare.ts'
import { createLogSpool } from './logSpool.ts'
import { removeFile, resumeIndex } from './resumeIndex.ts'

/** What is made first: prices of now, then what 24 hours need, then charts of 31 days. Each reaches an hour further than it has to. */
const stages = [
  { name: 'prices', seconds: 0 },
  { name: 'day', seconds: daySeconds + hourSeconds },
  { name: 'month', seconds: 31 * daySeconds + hourSeconds },
] as const

type Stage = (typeof stages)[number]

/** An index that is so little behind catches up before another one is built. Seconds of the chain, and blocks. */
const behindMin = { seconds: 2 * daySeconds, blocks: 20_000 }
/** While an index of the last run is there, one that is behind by so many seconds is not shown instead. */
const behindLittle = 600
/** Failures in a row of one stage after which the history does not wait for it any more, and it is tried seldom. */
const failuresMax = 5
const givenUpMs = 300_000
const backoffFirstMs = 1_000
/** As often it is looked whether the chain has left an index, and by which troubles of its follower that shows. */
const checkMs = 5_000
const lostBy: ReadonlySet<TroubleKind | undefined> = new Set(['disputed', 'other-chain'])
/** The log says as often as this how far a stage is. */
const tellMs = 60_000
const backoffMaxMs = 30_000

export type RecentDeps = Omit<BuildDeps, 'spool' | 'onProgress' | 'signal'> &
  Pick<FollowDeps, 'log' | 'nowMs' | 'pause'> & {
    /** The whole index, which answers in the end. */
    readonly main: Store
    readonly served: IndexSwitch
    /** For the files of these indexes; they are removed with them. */
    readonly folder: string
    /** Opens an index in a file, which is made when missing. */
    readonly openStore: (file: string) => Promise<Store>
    /** After every change of the index that answers. */
    readonly onChange: FollowDeps['onChange']
  }

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

type Serving = {
  readonly store: Store
  readonly file: string
  readonly follower: Follower
  readonly place: number
  /** Whether the chain has left the blocks that it was built on. */
  readonly isLost: () => boolean
  /** Whether nothing of it is left for that. */
  readonly isEmptied: () => boolean
}

type Begun = Pick<BuiltIndex, 'startBlock' | 'sinceSeconds'>

/**
 * Makes a chain useful at once: an index of now, then one of the last day, then one of the last month answer one after the other, each followed
 * to the head, until the whole index has caught up.
 */
export function openRecentIndex(deps: RecentDeps): RecentIndex {
  const { log, nowMs, pause, folder, served } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const settled = Promise.withResolvers<void>()
  const share = createFoldShare()
  const spool = createLogSpool(join(folder, 'logs'))
  let serving: Serving | undefined
  let reading: Reading | undefined
  let contactAtMs: number | undefined
  let answers = 0
  let trouble: FollowStatus['trouble']
  let isRetired = false
  const chain = hearChain(deps.chain, () => {
    contactAtMs = nowMs()
    answers += 1
  })

  /** Lets an index answer once it is as far as the one before. @throws Failure `rpc-invalid` when the chain has left it */
  const serve = async (file: string, place: number, { startBlock, sinceSeconds }: Begun): Promise<void> => {
    const store = await deps.openStore(file)
    const isFull = Promise.withResolvers<void>()
    let isEmptied = false
    const follower = followChain({
      ...{ chain: deps.chain, store, scope: deps.scope, chainId: deps.chainId, log, nowMs, pause },
      limits: { ...deps.limits, startBlock },
      onChange: (change) => {
        const { number } = change.cursor ?? { number: -1 }
        isEmptied ||= change.rewound && number < startBlock - 1
        // It has nothing left: the whole index answers, as far as it has come, until there is another one.
        if (isEmptied && serving?.store === store) void served.serve({ store: deps.main, sinceSeconds: undefined })
        if (change.caughtUp && number >= (serving?.follower.status().cursor?.number ?? 0)) isFull.resolve()
        if (serving?.store === store) deps.onChange(change)
      },
    })
    const isLost = () => isEmptied || lostBy.has(follower.status().trouble?.kind)
    let isThere = false
    void isFull.promise.then(() => {
      isThere = true
    })
    while (!isThere && !isLost() && !signal.aborted && !isRetired) await Promise.race([isFull.promise, pause(checkMs, signal)])
    const before = serving
    const isOver = isRetired || signal.aborted
    if (isOver || isLost()) {
      await follower.stop()
      await store.close()
      if (isOver) return
      removeFile(file)
      throw new Failure('rpc-invalid', 'A reorg removed the first blocks of the newest index', { retryable: true })
    }
    serving = { store, file, follower, place, isLost, isEmptied: () => isEmptied }
    const isIdle = served.serve({ store, sinceSeconds })
    deps.onChange({ caughtUp: true, cursor: follower.status().cursor, rewound: false })
    if (before) await end(before, isIdle)
  }

  const end = async ({ follower, store, file }: Serving, isIdle: Promise<void>) => {
    await follower.stop()
    await isIdle
    await store.close()
    removeFile(file)
  }

  const make = async (place: number, known: Known): Promise<boolean> => {
    const stage = stages[place] as Stage
    const building = join(folder, 'building.db')
    const pace = createReadingPace()
    let toldAtMs = nowMs()
    let [failures, tries, readBefore, answersBefore] = [0, 0, 0, -1]
    reading = { phase: stage.name, read: 0, blocks: 0, pace: undefined }
    while (!signal.aborted && !isRetired) {
      try {
        removeFile(building)
        const store = await deps.openStore(building)
        const parts = { ...deps, chain, spool, signal, onProgress: see }
        const built = await buildIndex(parts, store, { ...stage, known }).finally(store.close)
        trouble = undefined
        if (!built) return false
        const file = join(folder, `${stage.name}.db`)
        removeFile(file)
        renameSync(building, file)
        await serve(file, place, built)
        log.info({ stage: stage.name, pools: built.poolCount, sinceSeconds: built.sinceSeconds }, 'The newest blocks are indexed')
        return true
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (signal.aborted) return false
        // What was kept may be of a branch that the chain has left.
        if (error.code === 'rpc-invalid') forget(known)
        // A node that is away refuses nothing, and who got on has not failed in a row.
        const { read } = reading
        if (answers > answersBefore) failures = read > readBefore ? 1 : failures + 1
        ;[readBefore, answersBefore] = [read, answers]
        tries += 1
        if (trouble?.text !== error.message) log.warn({ stage: stage.name }, `The newest blocks cannot be read: ${error.message}`)
        trouble = { kind: isStoreFailure(error) ? 'store' : 'node', text: error.message, sinceMs: trouble?.sinceMs ?? nowMs() }
        // The history is read meanwhile.
        if (failures >= failuresMax) settled.resolve()
        await pause(Math.min(failures < failuresMax ? backoffMaxMs : givenUpMs, backoffFirstMs * 2 ** tries), signal)
      }
    }
    return false

    function see(done: BuildProgress): void {
      share.see(done, nowMs())
      const { read, blocks } = share.weigh(done)
      const seen = pace.see({ atMs: nowMs(), block: read, events: 0 })
      reading = { phase: stage.name, read, blocks, pace: seen ?? reading?.pace }
      if (nowMs() - toldAtMs < tellMs) return
      toldAtMs = nowMs()
      log.info({ ...reading }, 'Reading the newest blocks')
    }
  }

  const forget = ({ starts }: Pick<Known, 'starts'>) => {
    starts.clear()
    spool.clear()
  }

  const run = async (): Promise<void> => {
    const resumed = serving ? undefined : await resumeIndex(deps, stages)
    const behindSeconds = await measureGap(deps, {
      signal,
      hasIndex: Boolean(resumed ?? serving),
      onTrouble: (found) => (trouble = found),
    })
    if (behindSeconds === undefined) return
    if (resumed)
      await serve(resumed.file, resumed.place, resumed).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error
      })
    while (!signal.aborted && !isRetired) {
      const known: Known = { pools: new Map(), tokens: new Map(), searched: false, starts: new Map() }
      for (let place = (serving?.place ?? -1) + 1; place < stages.length; place += 1) {
        // The whole index is there sooner than one that reaches further back than it lacks.
        if ((stages[place] as Stage).seconds >= behindSeconds || !(await make(place, known))) break
      }
      reading = undefined
      spool.clear()
      settled.resolve()
      while (!signal.aborted && !serving?.isLost()) await pause(checkMs, signal)
      if (serving && !signal.aborted) await drop(serving)
    }
  }

  /** What the chain has left answers no longer: the whole index does, as far as it has come, until there are others. */
  const drop = async (lost: Serving) => {
    log.warn({ file: lost.file }, 'A reorg removed the first blocks of the newest index: the server rebuilds it')
    const isIdle = served.serve({ store: deps.main, sinceSeconds: undefined })
    serving = undefined
    await end(lost, isIdle)
  }

  const done = supervise(run, {
    ...{ signal, nowMs, pause },
    onFault: (err) => {
      log.error({ err }, 'Reading the newest blocks failed because of a bug')
      // The history is read all the same.
      settled.resolve()
    },
  }).finally(() => {
    reading = undefined
    spool.clear()
    if (!serving) rmSync(folder, { recursive: true, force: true })
    settled.resolve()
  })

  const stop = async () => {
    stopping.abort()
    await done
    await serving?.follower.stop()
    await serving?.store.close()
  }
  return {
    settled: settled.promise,
    status: () => (isRetired || serving?.isEmptied() ? undefined : serving?.follower.status()),
    trouble: () => trouble,
    reading: () => reading,
    contactAtMs: () => contactAtMs,
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

/** The chain, with a word at each answer of it. */
function hearChain(chain: Chain, onAnswer: () => void): Chain {
  const hear = <A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>) => {
    return async (...args: A) => {
      const answer = await ask(...args)
      onAnswer()
      return answer
    }
  }
  return {
    ...chain,
    ...{ readHead: hear(chain.readHead), readHeader: hear(chain.readHeader), forward: hear(chain.forward) },
    async *readHistory(request) {
      for await (const range of chain.readHistory(request)) {
        onAnswer()
        yield range
      }
    },
  }
}

type Gap = {
  readonly signal: AbortSignal
  /** Whether an index of the last run is there. */
  readonly hasIndex: boolean
  readonly onTrouble: (trouble: FollowStatus['trouble']) => void
}

/**
 * How far the whole index is behind, in seconds of the chain, where that is so much that others have to answer for a while. Asked until
 * the node has answered.
 * @returns undefined where it catches up by itself, or is stopped
 */
async function measureGap(
  { chain, main, limits, pause, nowMs, log }: RecentDeps,
  { signal, hasIndex, onTrouble }: Gap,
): Promise<number | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const cursor = (await findCursor(main.read))?.block
      const head = await chain.readHead()
      onTrouble(undefined)
      const blocks = head.number - (cursor?.number ?? limits.startBlock)
      const seconds = cursor ? head.timestampSeconds - cursor.timestampSeconds : Number.POSITIVE_INFINITY
      const isFar = blocks >= behindMin.blocks && seconds >= behindMin.seconds
      return isFar || (hasIndex && seconds >= behindLittle) ? seconds : undefined
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (failures === 0) log.warn({}, error.message)
      onTrouble({ kind: isStoreFailure(error) ? 'store' : 'node', text: error.message, sinceMs: nowMs() })
      await pause(Math.min(backoffMaxMs, backoffFirstMs * 2 ** failures), signal)
    }
  }
  return undefined
}
