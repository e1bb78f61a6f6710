import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { daySeconds, Failure, hourSeconds, supervise } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { isOfScope } from '../indexer/adoptIndex.ts'
import { type FollowDeps, type Follower, type FollowStatus, followChain, type Reading } from '../indexer/followChain.ts'
import { createReadingPace } from '../indexer/readingPace.ts'
import type { IndexSwitch } from '../store/indexSwitch.ts'
import { findFirstPoolTime } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import { findCursor } from '../store/syncCursor.ts'
import { type BuildDeps, type BuildProgress, type BuiltIndex, buildIndex, type Known } from './buildIndex.ts'
import { createFoldShare } from './foldShare.ts'
import { createLogSpool } from './logSpool.ts'

/** What is made first: prices of now, then what 24 hours need, then charts of 31 days. Each reaches an hour further than it has to. */
const stages = [
  { name: 'prices', seconds: 0 },
  { name: 'day', seconds: daySeconds + hourSeconds },
  { name: 'month', seconds: 31 * daySeconds + hourSeconds },
] as const

type StageName = (typeof stages)[number]['name']
type Stage = (typeof stages)[number]

/** An index that is so little behind catches up before another one is built. Seconds of the chain, and blocks. */
const behindMin = { seconds: 2 * daySeconds, blocks: 20_000 }
/** Failures in a row of one stage after which the history does not wait for it any more, and it is tried seldom. */
const failuresMax = 5
const givenUpMs = 300_000
const backoffFirstMs = 1_000
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

type Serving = { readonly store: Store; readonly file: string; readonly follower: Follower }

/**
 * Makes a chain useful at once: an index of now, then one of the last day, then one of the last month answer one after the other, each followed
 * to the head, until the whole index has caught up.
 */
export function openRecentIndex(deps: RecentDeps): RecentIndex {
  const { log, nowMs, pause, folder, served } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const settled = Promise.withResolvers<void>()
  let serving: Serving | undefined
  let reading: Reading | undefined
  let contactAtMs: number | undefined
  let trouble: FollowStatus['trouble']
  let isRetired = false

  const serve = async (file: string, { startBlock, sinceSeconds }: Pick<BuiltIndex, 'startBlock' | 'sinceSeconds'>) => {
    const store = await deps.openStore(file)
    const isFull = Promise.withResolvers<void>()
    const follower = followChain({
      ...{ chain: deps.chain, store, scope: deps.scope, chainId: deps.chainId, log, nowMs, pause },
      limits: { ...deps.limits, startBlock },
      onChange: (change) => {
        if (change.caughtUp) isFull.resolve()
        if (serving?.store === store) deps.onChange(change)
      },
    })
    signal.addEventListener('abort', () => isFull.resolve(), { once: true })
    await isFull.promise
    const before = serving
    serving = { store, file, follower }
    if (isRetired || signal.aborted) return
    const isIdle = served.serve({ store, sinceSeconds })
    deps.onChange({ caughtUp: true, cursor: follower.status().cursor, rewound: false })
    if (before) {
      await before.follower.stop()
      await isIdle
      await before.store.close()
      removeFile(before.file)
    }
  }

  const chain = hearChain(deps.chain, () => {
    contactAtMs = nowMs()
  })

  const make = async (stage: Stage, known: Known): Promise<boolean> => {
    const building = join(folder, 'building.db')
    const pace = createReadingPace()
    let toldAtMs = nowMs()
    let readBefore = 0
    for (let failures = 0; !signal.aborted && !isRetired; ) {
      removeFile(building)
      const store = await deps.openStore(building)
      try {
        const built = await buildIndex({ ...deps, chain, spool, signal, onProgress: see }, store, { ...stage, known }).finally(
          store.close,
        )
        trouble = undefined
        if (!built) return false
        const file = join(folder, `${stage.name}.db`)
        removeFile(file)
        renameSync(building, file)
        await serve(file, built)
        log.info({ stage: stage.name, pools: built.poolCount, sinceSeconds: built.sinceSeconds }, 'The newest blocks are read')
        return true
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (signal.aborted) return false
        // Who got on has not failed in a row.
        const read = reading?.read ?? 0
        failures = read > readBefore ? 1 : failures + 1
        readBefore = read
        if (trouble?.text !== error.message) log.warn({ stage: stage.name }, `The newest blocks cannot be read: ${error.message}`)
        trouble = { kind: 'node', text: error.message, sinceMs: trouble?.sinceMs ?? nowMs() }
        // The history is read meanwhile.
        if (failures >= failuresMax) settled.resolve()
        await pause(Math.min(failures < failuresMax ? backoffMaxMs : givenUpMs, backoffFirstMs * 2 ** failures), signal)
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

  const share = createFoldShare()
  const spool = createLogSpool(join(folder, 'logs'))

  const run = async (): Promise<void> => {
    if (!(await isWanted(deps, signal, (found) => (trouble = found)))) return
    const resumed = await resume(deps)
    if (resumed) await serve(resumed.file, resumed)
    const known: Known = { pools: new Map(), tokens: new Map(), searched: false, starts: new Map() }
    const from = resumed ? stages.findIndex(({ name }) => name === resumed.stage) + 1 : 0
    for (const stage of stages.slice(from)) {
      reading = { phase: stage.name, read: 0, blocks: 0, pace: undefined }
      if (!(await make(stage, known))) break
    }
  }

  const done = supervise(run, {
    ...{ signal, nowMs, pause },
    onFault: (err) => {
      log.error({ err }, 'Reading the newest blocks failed by a bug')
      // The history is read all the same.
      settled.resolve()
    },
  }).finally(() => {
    reading = undefined
    spool.clear()
    settled.resolve()
  })

  const end = async () => {
    stopping.abort()
    await done
    await serving?.follower.stop()
    await serving?.store.close()
  }
  return {
    settled: settled.promise,
    status: () => (isRetired ? undefined : serving?.follower.status()),
    trouble: () => trouble,
    reading: () => reading,
    contactAtMs: () => contactAtMs,
    async retire() {
      if (isRetired) return
      isRetired = true
      const isIdle = served.serve({ store: deps.main, sinceSeconds: undefined })
      await isIdle
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
    stop: end,
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

/** Whether the whole index is so far behind that others have to answer for a while. Asked until the node has answered. */
async function isWanted(
  { chain, main, limits, pause, nowMs, log }: RecentDeps,
  signal: AbortSignal,
  onTrouble: (trouble: FollowStatus['trouble']) => void,
): Promise<boolean> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const cursor = (await findCursor(main.read))?.block
      const head = await chain.readHead()
      onTrouble(undefined)
      const blocks = head.number - (cursor?.number ?? limits.startBlock)
      const seconds = cursor ? head.timestampSeconds - cursor.timestampSeconds : Number.POSITIVE_INFINITY
      return blocks >= behindMin.blocks && seconds >= behindMin.seconds
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (failures === 0) log.warn({}, error.message)
      onTrouble({ kind: 'node', text: error.message, sinceMs: nowMs() })
      await pause(Math.min(backoffMaxMs, backoffFirstMs * 2 ** failures), signal)
    }
  }
  return false
}

type Resumed = { readonly file: string; readonly stage: StageName } & Pick<BuiltIndex, 'startBlock' | 'sinceSeconds'>

/** The index of the last run, if it is of the same chain and scope and not old; others are removed. */
async function resume({ folder, openStore, scope, chainId, nowMs }: RecentDeps): Promise<Resumed | undefined> {
  let found: Resumed | undefined
  for (const { name } of stages.toReversed()) {
    const file = join(folder, `${name}.db`)
    if (!existsSync(file)) continue
    const place = found ? undefined : await readPlace(() => openStore(file))
    const isYoung = place !== undefined && nowMs() / 1_000 - place.cursorSeconds < daySeconds
    if (place && isYoung && place.chainId === chainId && isOfScope(place.identity, scope, place))
      found = { file, stage: name, startBlock: place.startBlock, sinceSeconds: place.sinceSeconds }
    else removeFile(file)
  }
  return found
}

/** Where an index that was built here begins and ends; undefined for a file that is damaged, or of another version. */
async function readPlace(open: () => Promise<Store>) {
  let store: Store | undefined
  try {
    store = await open()
    const cursor = await findCursor(store.read)
    const sinceSeconds = await findFirstPoolTime(store.read)
    if (!cursor?.block || sinceSeconds === undefined) return undefined
    const [chainId, , , startBlock] = cursor.identity.split(':').map(Number)
    return {
      ...{ chainId, identity: cursor.identity, startBlock: startBlock as number },
      ...{ sinceSeconds, cursorSeconds: cursor.block.timestampSeconds },
    }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  } finally {
    await store?.close()
  }
}

function removeFile(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
}
