import { type Address, Failure, supervise } from '@chainboard/core'
import { findScope, markValued, readScopeMark, type StoredScope } from '../store/indexScope.ts'
import { findAsked } from '../store/oldDollars.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, findCursor, lockCursor } from '../store/syncCursor.ts'
import { isOfExchange } from './adoptIndex.ts'
import { joinIndex } from './joinIndex.ts'
import { type Beside, openSide, removeSide, type SideDeps, type SideIndex } from './sideIndex.ts'
import type { WorldHolder } from './worldHolder.ts'

/** How often the list is compared with what the index has. */
const lookEveryMs = 1_000
const retryMs = 5_000

export type ScopeDeps = SideDeps & {
  readonly main: Store
  /** Of the main index. */
  readonly holder: WorldHolder
  /** Tokens whose pools are wanted, at the moment; undefined: all pools are. */
  readonly wanted: () => ReadonlySet<Address> | undefined
  /** Whether the main index has caught up with the chain. */
  readonly isComplete: () => boolean
  /** Of a transaction that adds pools; absent: as many as others can wait for. */
  readonly eventsAtOnce?: number | undefined
  /** After every look at what the main index has. */
  readonly onScope: (scope: StoredScope, progress: ScopeProgress | undefined) => void
  /** Pools came into the index. */
  readonly onJoined: () => void
}

/**
 * What is done for tokens that the index lacks. `waiting`: for the index itself, or for what is done at the moment. `reading`: so many
 * blocks of their pools' history are read. `valuing`: the pools are in, so many blocks of the index are valued again.
 */
export type ScopeProgress = {
  readonly phase: 'waiting' | 'reading' | 'valuing'
  /** Undefined while it waits. */
  readonly blocks: { readonly read: number; readonly all: number } | undefined
}

export type ScopeKeeper = {
  /** For the follower of the main index, whose last block it is given: adds the pools when they are all read. */
  join(last: BlockRef): Promise<boolean>
  stop(): Promise<void>
}

/**
 * Reads the pools of tokens that the list has and the index lacks, beside the index, and adds them to it when they have the same last
 * block. All else is followed and served meanwhile; whatever ends the process, the next one continues.
 */
export function keepScope(deps: ScopeDeps): ScopeKeeper {
  const { log, nowMs, pause, folder } = deps
  const ending = new AbortController()
  const { signal } = ending
  const turns = createTurns(log, signal)
  let side: SideIndex | undefined
  let known: Known | undefined

  const close = async () => {
    await side?.stop()
    side = undefined
    removeSide(folder)
  }
  const look = async (): Promise<void> => {
    const beside = await findBeside(deps, known)
    if (!beside) return
    known = beside
    const { stored } = beside
    const missing = listMissing(stored, deps.wanted())
    if (side && !isStillMissing(side, missing)) await close()
    if (!side && missing !== 'none' && stored.tokens && deps.isComplete()) {
      const wanted = missing === 'all' ? undefined : missing
      side = await openSide(deps, { identity: beside.identity, has: stored.tokens }, wanted)
      log.info({ tokens: side.tokens?.size ?? 'all' }, 'Reading the pools of added tokens')
    }
    if (!side && missing === 'none') removeSide(folder)
    deps.onScope(stored, toProgress(side, { ...beside, missing }))
  }
  const run = async () => {
    while (!signal.aborted) {
      await turns.take(look)
      await pause(turns.isFailing() ? retryMs : lookEveryMs, signal)
    }
  }
  const done = supervise(run, {
    signal,
    nowMs,
    pause,
    onFault: (err, retryInMs) => log.error({ err, retryInMs }, 'Adding tokens to the index failed because of a bug and restarts'),
  })
  return {
    join: async (last) => {
      let isChanged = false
      const onJoined = () => {
        isChanged = true
      }
      await turns.take(async () => {
        if (!side || !(await side.endWith(last))) return
        await joinSide(deps, side, { last, onJoined })
        log.info({ tokens: side.tokens?.size ?? 'all' }, 'The pools of added tokens are in the index')
        await close()
      })
      if (isChanged) deps.onJoined()
      return isChanged
    },
    stop: async () => {
      ending.abort()
      await done
      await side?.stop()
    },
  }
}

/** One work at a time, looking or joining: what comes meanwhile is left out. A failure of the node or the store is logged, the first in a row. */
function createTurns(log: ScopeDeps['log'], signal: AbortSignal) {
  let [isHeld, isFailing] = [false, false]
  return {
    isFailing: () => isFailing,
    async take(work: () => Promise<void>): Promise<void> {
      if (isHeld || signal.aborted) return
      isHeld = true
      try {
        await work()
        isFailing = false
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (!isFailing) log.warn({ err: error }, 'The pools of added tokens cannot be read; the server retries')
        isFailing = true
      } finally {
        isHeld = false
      }
    },
  }
}

type Joining = { readonly last: BlockRef; readonly onJoined: () => void }

/** Adds the pools of an index that was read beside the main one. If that fails, reading it continues. */
async function joinSide({ main, holder, eventsAtOnce }: ScopeDeps, side: SideIndex, { last, onJoined }: Joining): Promise<void> {
  try {
    await joinIndex({ main, holder, side: side.store.read, last, tokens: side.tokens, onJoined, eventsAtOnce })
  } catch (error) {
    side.resume()
    throw error
  }
}

/** What the main index has, as it was read last: there may be tens of thousands of tokens. */
type Known = { readonly mark: string; readonly stored: StoredScope }

/** What the main index is, when it is one of this exchange. */
type Main = Beside & Known & { readonly left: number; readonly last: number }

async function findBeside({ main, scope, limits }: ScopeDeps, known: Known | undefined): Promise<Main | undefined> {
  const cursor = await findCursor(main.read)
  if (!cursor?.block || !isOfExchange(cursor.identity, scope, limits)) return undefined
  const asked = await findAsked(main.read)
  // The last block was valued, or a reorg took all that were left.
  if (!asked && known && known.stored.unvalued.size > 0)
    await main.write(async (tx) => {
      await lockCursor(tx)
      if (!(await findAsked(tx))) await markValued(tx)
    })
  const mark = `${cursor.identity} ${await readScopeMark(main.read)}`
  const stored = known?.mark === mark ? known.stored : await findScope(main.read)
  if (!stored) return undefined
  const last = cursor.block.number
  return {
    identity: cursor.identity,
    has: stored.tokens ?? new Set(),
    mark,
    stored,
    left: asked ? last - asked.fromBlock : 0,
    last,
  }
}

type Missing = ReadonlySet<Address> | 'all' | 'none'

function listMissing({ tokens }: StoredScope, wanted: ReadonlySet<Address> | undefined): Missing {
  if (!tokens) return 'none'
  if (!wanted) return 'all'
  const missing = [...wanted].filter((token) => !tokens.has(token))
  return missing.length === 0 ? 'none' : new Set(missing)
}

function isStillMissing({ tokens }: SideIndex, missing: Missing): boolean {
  if (missing === 'none') return false
  if (missing === 'all' || !tokens) return missing === 'all' && !tokens
  return [...tokens].some((token) => missing.has(token))
}

type Done = Pick<Main, 'stored' | 'left' | 'last'> & { readonly missing: Missing }

function toProgress(side: SideIndex | undefined, { stored, left, last, missing }: Done): ScopeProgress | undefined {
  const reading = side?.reading()
  if (reading) return { phase: 'reading', blocks: { read: reading.read, all: reading.blocks } }
  if (missing !== 'none') return { phase: 'waiting', blocks: undefined }
  return stored.unvalued.size > 0 ? { phase: 'valuing', blocks: { read: last - left, all: last } } : undefined
}
