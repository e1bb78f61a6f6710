import { Failure } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { type ChainIdentity, noGenesis, otherChain, withoutGenesis } from '../chain/chainIdentity.ts'
import { invalid } from '../chain/parseAnswer.ts'
import { setIndexAside } from '../store/asideIndexes.ts'
import { emptyIndex } from '../store/emptyIndex.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, findCursor, lockCursor, setCursor } from '../store/syncCursor.ts'
import type { IndexScope } from './storeRange.ts'
import type { SyncLimits } from './syncMachine.ts'

/** Everything that the rows of an index hang on: chain, exchange, scope, and how events are valued. */
export function nameIndex(
  { chainId, genesis }: ChainIdentity,
  { factory, onlyTokens, valuation }: IndexScope,
  { startBlock }: SyncLimits,
): string {
  const pools = onlyTokens ? [...onlyTokens].sort().join() : 'all'
  const dollars = [valuation.stables.join('+'), valuation.wrappedNative, valuation.depthFloorUsdE18].join('/')
  return [chainId, genesis, factory, startBlock, pools, dollars].join(':')
}

export type AdoptDeps = {
  readonly chain: Pick<Chain, 'readHeader'>
  readonly store: Store
  readonly log: { warn(facts: object, text: string): void }
  readonly nowMs: () => number
}

/**
 * Continues the stored index when it was made from this chain and scope. An index of another scope was made by other files of
 * the operator's: it is set aside, and a new one begins. One whose last block the node has is of this chain, whatever was known
 * of the first block before: it gets the name of this chain.
 * @throws Failure `rpc-other-chain` when the node alone says that this is another chain, unless a test chain may start over
 */
export async function adoptIndex(
  { chain, store, log, nowMs }: AdoptDeps,
  found: ChainIdentity,
  { identity, mayRestart }: { readonly identity: string; readonly mayRestart: boolean },
): Promise<BlockRef | undefined> {
  const stored = await findCursor(store.read)
  if (stored?.identity === identity) return stored.block
  // One garbled hash must not name an index, nor give it another name.
  const again = (await chain.readHeader(0))?.hash ?? noGenesis
  if (again !== found.genesis)
    throw invalid(`The node first gave ${found.genesis} as the chain's first block, and then ${again}`, { block: 0 })
  const [storedId, storedGenesis] = stored?.identity.split(':') ?? []
  const named = stored?.identity.replace(`:${storedGenesis}:`, `:${found.genesis}:`)
  if (stored?.block && named === identity && found.genesis !== noGenesis && (await hasBlock(chain, stored.block)))
    return renameIndex(store, { from: stored.identity, to: named, block: stored.block })
  const isOtherChain = stored?.block !== undefined && storedId === String(found.chainId) && storedGenesis !== found.genesis
  if (isOtherChain && found.genesis === noGenesis) throw withoutGenesis()
  if (isOtherChain && !mayRestart)
    throw otherChain(
      `The node's chain begins with block ${found.genesis}, what is stored was read from one that begins with ${storedGenesis}`,
    )
  await store
    .write(async (tx) => {
      await lockCursor(tx)
      if ((await findCursor(tx))?.identity !== (stored?.identity ?? '')) throw movedMeanwhile()
      if (isOtherChain) await emptyIndex(tx)
      const number = await setIndexAside(store, tx, Math.floor(nowMs() / 1000))
      await setCursor(tx, { identity, block: undefined })
      return number
    })
    .then((number) => {
      if (number !== undefined) log.warn({ number, stored: stored?.identity, found: identity }, describeAside(number))
    })
  return undefined
}

async function hasBlock(chain: AdoptDeps['chain'], { number, hash }: BlockRef): Promise<boolean> {
  return (await chain.readHeader(number))?.hash === hash
}

/** The hash of its last block stands for all before it: the chain is the same, whatever a node once said of the first one. */
async function renameIndex(store: Store, { from, to, block }: { from: string; to: string; block: BlockRef }): Promise<BlockRef> {
  await store.write(async (tx) => {
    await lockCursor(tx)
    if ((await findCursor(tx))?.identity !== from) throw movedMeanwhile()
    await setCursor(tx, { identity: to, block })
  })
  return block
}

function movedMeanwhile(): Failure {
  return new Failure('store-in-use', 'Another server writes the same index', { retryable: true })
}

export function describeAside(number: number): string {
  return `The index was set aside as number ${number}, and a new one begins. To get it back, stop the server and run: npm run indexes -- restore ${number}`
}
