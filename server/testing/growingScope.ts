import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { type FollowDeps, followChain } from '../indexer/followChain.ts'
import type { IndexScope } from '../indexer/indexScope.ts'
import { keepRevaluing } from '../indexer/keepRevaluing.ts'
import { keepScope, type ScopeDeps, type ScopeProgress } from '../indexer/keepScope.ts'
import type { WorldHolder } from '../indexer/worldHolder.ts'
import { pause } from '../pause.ts'
import type { StoredScope } from '../store/indexScope.ts'
import { findAsked } from '../store/oldDollars.ts'
import { openStore } from '../store/openStore.ts'
import type { Store } from '../store/store.ts'
import { factory, tokens } from './fakeExchange.ts'
import { followingDefaults, limitDefaults, strictLog } from './following.ts'

// An index whose token list changes, with the parts of a server that have to do with it.

/** Which tokens are listed: undefined wants all pools. */
export type Listed = { tokens: ReadonlySet<Address> | undefined }

export const scopeOf = (onlyTokens: ReadonlySet<Address> | undefined): IndexScope => ({
  factory,
  onlyTokens,
  valuation: {
    stables: [tokens[2] as Address],
    wrappedNative: tokens[1] as Address,
    depthFloorUsdE18: 0n,
    quotes: [],
    windowSeconds: 600,
  },
})

type Running = {
  readonly store: Store
  readonly listed: Listed
  /** For the side index; the same of the next process. */
  readonly folder: string
  readonly log?: FollowDeps['log']
  /** Absent: of the exchange in memory. */
  readonly scope?: IndexScope
  /** Absent: one of its own. */
  readonly holder?: WorldHolder
  /** Whether blocks are valued again by themselves; absent: they are. */
  readonly isValuing?: boolean
} & Pick<Partial<ScopeDeps>, 'openStore' | 'eventsAtOnce' | 'openWitness'>

export const newFolder = (dir: string): string => join(mkdtempSync(join(dir, 'scope-')), 'added')

/** @param chain of which the side index is read, too; absent: the main one's */
export function runIndex(
  chain: Chain,
  {
    store,
    listed,
    folder,
    log = strictLog,
    openStore: open,
    eventsAtOnce,
    openWitness,
    scope,
    holder = { world: undefined },
    isValuing = true,
  }: Running,
  sideChain: Chain = chain,
) {
  const shared = {
    ...followingDefaults,
    log,
    pause: (_ms: number, signal: AbortSignal) => pause(4, signal),
    limits: { ...limitDefaults, confirmations: 6, pollMs: 1, spanMax: 7, mayRestart: true },
    scope: scope ?? scopeOf(listed.tokens),
  }
  const seen: { scope?: StoredScope; progress?: ScopeProgress | undefined; readonly phases: Set<string> } = { phases: new Set() }
  const keeper = keepScope({
    ...shared,
    ...{ chain: sideChain, main: store, holder, folder },
    openStore: open ?? ((file) => openStore({ file })),
    wanted: () => listed.tokens,
    eventsAtOnce,
    openWitness,
    isComplete: () => follower.status().complete,
    onScope: (scope, progress) => {
      Object.assign(seen, { scope, progress })
      seen.phases.add(progress?.phase ?? 'none')
    },
    onJoined: () => undefined,
  })
  const follower = followChain({ ...shared, chain, store, holder, join: keeper.join, onChange: () => undefined })
  const revaluing =
    isValuing &&
    keepRevaluing({
      ...shared,
      ...{ store, holder, valuation: shared.scope.valuation, isOurs: () => true },
      onDone: () => undefined,
    })
  return {
    seen,
    follower,
    stop: async () => {
      if (revaluing) await revaluing.stop()
      await follower.stop()
      await keeper.stop()
    },
  }
}

type Server = ReturnType<typeof runIndex>

/** Waits until all that is listed is in the index, valued, and the index at the head. */
export async function untilWhole(chain: Pick<Chain, 'readHead'>, server: Server, running: Running): Promise<void> {
  while (!(await isWhole(chain, server, running))) await pause(4, new AbortController().signal)
}

export async function isWhole(
  chain: Pick<Chain, 'readHead'>,
  { seen, follower }: Server,
  { store, listed }: Running,
): Promise<boolean> {
  const { hash } = await chain.readHead()
  const { scope, progress } = seen
  const hasAll = !scope?.tokens || [...(listed.tokens ?? ['all'])].every((token) => scope.tokens?.has(token as Address))
  const isValued = scope?.unvalued.size === 0 && !(await findAsked(store.read))
  return hasAll && isValued && scope !== undefined && !progress && follower.status().cursor?.hash === hash
}
