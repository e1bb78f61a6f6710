import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { daySeconds, Failure } from '@chainboard/core'
import { isOfExchange } from '../indexer/adoptIndex.ts'
import type { IndexScope } from '../indexer/indexScope.ts'
import { describeTokens, toStoredScope } from '../indexer/settleScope.ts'
import { findScope } from '../store/indexScope.ts'
import { findFirstPoolTime } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import { findCursor } from '../store/syncCursor.ts'
import type { BuiltIndex } from './buildIndex.ts'

type Deps = {
  readonly folder: string
  readonly openStore: (file: string) => Promise<Store>
  readonly scope: IndexScope
  readonly chainId: number
  readonly nowMs: () => number
}

/** `place`: of the stage that it was built in. */
export type Resumed = { readonly file: string; readonly place: number } & Pick<BuiltIndex, 'startBlock' | 'sinceSeconds'>

/** The index of the last run that reaches furthest back, if it is of the same chain and scope and not a day old; others are removed. */
export async function resumeIndex(
  { folder, openStore, scope, chainId, nowMs }: Deps,
  stages: readonly { readonly name: string }[],
): Promise<Resumed | undefined> {
  let found: Resumed | undefined
  for (const [place, { name }] of [...stages.entries()].toReversed()) {
    const file = join(folder, `${name}.db`)
    if (!existsSync(file)) continue
    const known = found ? undefined : await readPlace(() => openStore(file))
    const isYoung = known !== undefined && nowMs() / 1_000 - known.cursorSeconds < daySeconds
    if (known && isYoung && known.chainId === chainId && isOfScope(known, scope))
      found = { file, place, startBlock: known.startBlock, sinceSeconds: known.sinceSeconds }
    else removeFile(file)
  }
  return found
}

/** Whether it is of this exchange, tokens and settings: nothing is added to a small index, nor valued again in it. */
function isOfScope({ identity, startBlock, stored }: Place, scope: IndexScope): boolean {
  const wanted = toStoredScope(scope)
  const isSame = describeTokens(stored.tokens) === describeTokens(wanted.tokens)
  return isSame && stored.dollars === wanted.dollars && isOfExchange(identity, scope, { startBlock })
}

type Place = NonNullable<Awaited<ReturnType<typeof readPlace>>>

/** Where an index that was built here begins and ends; undefined for a file that is damaged, or of another version. */
async function readPlace(open: () => Promise<Store>) {
  let store: Store | undefined
  try {
    store = await open()
    const cursor = await findCursor(store.read)
    const sinceSeconds = await findFirstPoolTime(store.read)
    const stored = await findScope(store.read)
    if (!cursor?.block || !stored || sinceSeconds === undefined) return undefined
    const [chainId, , , startBlock] = cursor.identity.split(':').map(Number)
    if (startBlock === undefined) return undefined
    return {
      ...{ chainId, identity: cursor.identity, startBlock, stored },
      ...{ sinceSeconds, cursorSeconds: cursor.block.timestampSeconds },
    }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  } finally {
    await store?.close()
  }
}

/** Removes an index with what SQLite keeps beside it. */
export function removeFile(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { recursive: true, force: true })
}
