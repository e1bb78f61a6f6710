import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from '@chainboard/core'
import { findBlock } from '../store/blocks.ts'
import { findScope } from '../store/indexScope.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
import type { Witness } from '../witness/witness.ts'
import { type FollowDeps, type Follower, followChain, type Reading, toHistoryReading } from './followChain.ts'
import type { IndexScope } from './indexScope.ts'
import { rollBack } from './rollBack.ts'
import { describeTokens } from './settleScope.ts'
import { toNarrowChain } from './wantedContracts.ts'
import type { WorldHolder } from './worldHolder.ts'

export type SideDeps = Pick<FollowDeps, 'chain' | 'limits' | 'scope' | 'chainId' | 'log' | 'nowMs' | 'pause'> & {
  /** For the files of these indexes; they are removed with them. */
  readonly folder: string
  /** Opens an index in a file, which is made when missing. */
  readonly openStore: (file: string) => Promise<Store>
  /** What checks such an index; absent: whatever the node gives is taken. */
  readonly openWitness?: ((store: Store, scope: IndexScope) => Witness) | undefined
}

/** What a side index begins beside: the main one, and the tokens whose pools that has. */
export type Beside = { readonly identity: string; readonly has: ReadonlySet<Address> }

/** An index of the pools that the main one lacks, in a file of its own, read and followed as any index. */
export type SideIndex = {
  /** The tokens that it has the other pools of; undefined: of all. */
  readonly tokens: ReadonlySet<Address> | undefined
  readonly store: Store
  /** How far its reading is; undefined at the head of the chain, and before it was seen. */
  reading(): Reading | undefined
  /** Ends following, and takes the index back to a block. @returns whether it ends with that block then: if not, it is followed on */
  endWith(last: BlockRef): Promise<boolean>
  /** Follows again after `endWith`. */
  resume(): void
  stop(): Promise<void>
}

/**
 * Opens the side index for tokens that the main one lacks. One of the last run is continued if it is of tokens that are still wanted; any other is removed.
 * @param wanted tokens that the main index lacks; undefined: all that there are
 * @throws Failure of the store: the file is removed then
 */
export async function openSide(
  deps: SideDeps,
  { identity, has }: Beside,
  wanted: ReadonlySet<Address> | undefined,
): Promise<SideIndex> {
  const { folder, openStore, scope } = deps
  const name = `${createHash('sha256')
    .update(`${identity} ${describeTokens(has)}`)
    .digest('hex')
    .slice(0, 16)}.db`
  mkdirSync(folder, { recursive: true })
  for (const found of readdirSync(folder)) if (!found.startsWith(name)) rmSync(join(folder, found), { force: true })
  const file = join(folder, name)
  const opened = await openWanted(() => openStore(file), wanted).catch((error: unknown) => {
    removeSide(folder)
    throw error
  })
  if (!opened) {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    return openSide(deps, { identity, has }, wanted)
  }
  const { store, tokens } = opened
  // No dollars: what the main index has decides about them, and values all of it when the pools are in.
  const valuation = { ...scope.valuation, stables: [], quotes: [] }
  return follow({ ...deps, store, scope: { ...scope, onlyTokens: tokens, exceptTokens: has, valuation } })
}

/** Removes what is kept of side indexes. */
export function removeSide(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** @returns undefined for one of tokens that are not wanted any more */
async function openWanted(open: () => Promise<Store>, wanted: ReadonlySet<Address> | undefined) {
  const store = await open()
  try {
    const stored = await findScope(store.read)
    if (!stored) return { store, tokens: wanted }
    const isWanted = stored.tokens ? !wanted || [...stored.tokens].some((token) => wanted.has(token)) : !wanted
    if (isWanted) return { store, tokens: stored.tokens }
  } catch (error) {
    await store.close()
    throw error
  }
  await store.close()
  return undefined
}

function follow({ store, openWitness, ...deps }: SideDeps & { readonly store: Store }): SideIndex {
  const { scope, nowMs } = deps
  const holder: WorldHolder = { world: undefined }
  const witness = openWitness?.(store, scope)
  const chain = toNarrowChain(deps.chain)
  const of = (facts: object) => ({ ...facts, of: 'added tokens' })
  const log: FollowDeps['log'] = {
    info: (facts, text) => deps.log.info(of(facts), text),
    warn: (facts, text) => deps.log.warn(of(facts), text),
    error: (facts, text) => deps.log.error(of(facts), text),
  }
  const begin = () => followChain({ ...deps, chain, store, log, holder, witness, onChange: () => undefined })
  let follower: Follower | undefined = begin()
  const resume = () => {
    follower ??= begin()
  }
  return {
    tokens: scope.onlyTokens,
    store,
    reading: () => follower && toHistoryReading(follower.status()),
    endWith: async (last) => {
      const reached = follower?.status().cursor
      if (!reached || reached.number < last.number) return false
      if ((await findBlock(store.read, last.number))?.hash !== last.hash) return false
      await follower?.stop()
      follower = undefined
      const cursor = await findCursor(store.read)
      if (cursor?.block && cursor.block.number > last.number && (await findBlock(store.read, last.number))?.hash === last.hash)
        await rollBack({ store, identity: cursor.identity, scope, holder, nowMs }, last)
      const isThere = (await findCursor(store.read))?.block?.hash === last.hash
      if (!isThere) resume()
      return isThere
    },
    resume,
    stop: async () => {
      await follower?.stop()
      await witness?.stop()
      await store.close()
    },
  }
}
