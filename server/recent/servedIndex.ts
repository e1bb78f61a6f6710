import { Failure } from '@chainboard/core'
import { type FollowDeps, type Follower, followChain, type IndexChange, type TroubleKind } from '../indexer/followChain.ts'
import type { IndexSwitch } from '../store/indexSwitch.ts'
import type { Store } from '../store/store.ts'
import type { BuiltIndex } from './buildIndex.ts'
import { removeFile } from './resumeIndex.ts'

/** As often it is looked whether the chain has left an index, and by which troubles of its follower that shows. */
export const checkMs = 5_000
const lostBy: ReadonlySet<TroubleKind | undefined> = new Set(['disputed', 'other-chain'])

export type ServingDeps = Pick<FollowDeps, 'chain' | 'scope' | 'chainId' | 'limits' | 'log' | 'nowMs' | 'pause'> & {
  /** The whole index, which answers in the end. */
  readonly main: Store
  readonly served: IndexSwitch
  /** Opens an index in a file, which is made when missing. */
  readonly openStore: (file: string) => Promise<Store>
  /** After every change of the index that answers. */
  readonly onChange: FollowDeps['onChange']
}

/** An index that answers, or is about to. `place`: of the stage that it was built in. */
export type Serving = {
  readonly store: Store
  readonly file: string
  readonly follower: Follower
  readonly place: number
  /** Whether the chain has left the blocks that it was built on. */
  readonly isLost: () => boolean
  /** Whether nothing of it is left for that. */
  readonly isEmptied: () => boolean
}

type Candidate = Serving & { readonly isFull: Promise<void> }
type Begun = Pick<BuiltIndex, 'startBlock' | 'sinceSeconds'>

/** The small index that answers: one at a time, followed to the head of the chain. */
export type ServedIndex = {
  /** The one that answers; undefined while none does. */
  current(): Serving | undefined
  /**
   * Lets an index answer once it is as far as the one before, which is removed then.
   * @throws Failure `rpc-invalid` when the chain has left it: it is removed
   */
  serve(index: Begun & { readonly file: string; readonly place: number }): Promise<void>
  /** Removes the one that answers, as the chain has left it: the whole index does, as far as it has come. */
  drop(): Promise<void>
  /** Ends the follower, and closes the index. */
  close(): Promise<void>
}

type Life = { readonly signal: AbortSignal /** Whether none is wanted any more. */; readonly isOver: () => boolean }

/** @param life when nothing more is to be served; `signal` also ends waits */
export function createServedIndex(deps: ServingDeps, { signal, isOver }: Life): ServedIndex {
  const { log, pause, served } = deps
  let serving: Serving | undefined

  const open = async (file: string, place: number, startBlock: number): Promise<Candidate> => {
    const store = await deps.openStore(file)
    const isFull = Promise.withResolvers<void>()
    let isEmptied = false
    const onChange = (change: IndexChange) => {
      const { number } = change.cursor ?? { number: -1 }
      isEmptied ||= change.rolledBack && number < startBlock - 1
      // It has nothing left: the whole index answers, as far as it has come, until there is another one.
      if (isEmptied && serving?.store === store) void served.serve({ store: deps.main, sinceSeconds: undefined })
      if (change.caughtUp && number >= (serving?.follower.status().cursor?.number ?? 0)) isFull.resolve()
      if (serving?.store === store) deps.onChange(change)
    }
    const { chain, scope, chainId, nowMs } = deps
    const limits = { ...deps.limits, startBlock }
    const follower = followChain({ chain, store, scope, chainId, log, nowMs, pause, limits, onChange })
    const isLost = () => isEmptied || lostBy.has(follower.status().trouble?.kind)
    return { store, file, follower, place, isLost, isEmptied: () => isEmptied, isFull: isFull.promise }
  }

  const end = async ({ follower, store, file }: Serving, isIdle: Promise<void>) => {
    await follower.stop()
    await isIdle
    await store.close()
    removeFile(file)
  }

  return {
    current: () => serving,
    async serve({ file, place, startBlock, sinceSeconds }) {
      const next = await open(file, place, startBlock)
      await waitUntilFull(next, isOver, () => pause(checkMs, signal))
      const before = serving
      const isStopped = isOver()
      if (isStopped || next.isLost()) {
        await next.follower.stop()
        await next.store.close()
        if (isStopped) return
        removeFile(file)
        throw new Failure('rpc-invalid', 'A reorg removed the first blocks of the newest index', { retryable: true })
      }
      serving = next
      const isIdle = served.serve({ store: next.store, sinceSeconds })
      deps.onChange({ caughtUp: true, cursor: next.follower.status().cursor, rolledBack: false })
      if (before) await end(before, isIdle)
    },
    async drop() {
      if (!serving) return
      const lost = serving
      log.warn({ file: lost.file }, 'A reorg removed the first blocks of the newest index: the server rebuilds it')
      const isIdle = served.serve({ store: deps.main, sinceSeconds: undefined })
      serving = undefined
      await end(lost, isIdle)
    },
    async close() {
      await serving?.follower.stop()
      await serving?.store.close()
    },
  }
}

/** Until it is as far as the one before, the chain has left it, or none is wanted any more. */
async function waitUntilFull({ isFull, isLost }: Candidate, isOver: () => boolean, rest: () => Promise<void>): Promise<void> {
  let isThere = false
  void isFull.then(() => {
    isThere = true
  })
  while (!isThere && !isLost() && !isOver()) await Promise.race([isFull, rest()])
}
