import { Failure } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { type ChainIdentity, noGenesis, otherChain, withoutGenesis } from '../chain/chainIdentity.ts'
import { isOfMost } from '../chain/judgeReorg.ts'
import { invalid } from '../chain/parseAnswer.ts'
import { setIndexAside } from '../store/asideIndexes.ts'
import { emptyIndex } from '../store/emptyIndex.ts'
import { putScope } from '../store/indexScope.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, findCursor, lockCursor, setCursor } from '../store/syncCursor.ts'
import type { IndexScope } from './indexScope.ts'
import { toStoredScope } from './settleScope.ts'
import type { SyncLimits } from './syncMachine.ts'

/** What the rows of an index hang on. Which pools it holds and how its dollars are valued is data of it: `store/indexScope.ts`. */
export function nameIndex(
  { chainId, genesis }: Pick<ChainIdentity, 'chainId'> & { readonly genesis: string },
  { factory }: Pick<IndexScope, 'factory'>,
  { startBlock }: Pick<SyncLimits, 'startBlock'>,
): string {
  return [chainId, genesis, factory, startBlock].join(':')
}

/** Whether an index is of this exchange from this block on, whatever chain it was read from. */
export function isOfExchange(
  identity: string,
  scope: Pick<IndexScope, 'factory'>,
  limits: Pick<SyncLimits, 'startBlock'>,
): boolean {
  const [chainId, genesis = ''] = identity.split(':')
  return identity === nameIndex({ chainId: Number(chainId), genesis }, scope, limits)
}

export type AdoptDeps = {
  readonly chain: Pick<Chain, 'readChainId' | 'readHeader' | 'readHeaderOfEach'>
  readonly store: Store
  readonly scope: IndexScope
  readonly log: { warn(facts: object, text: string): void }
  readonly nowMs: () => number
}

/**
 * Continues the stored index when it was made from this chain and exchange. Another one was made by other files of
 * the operator's: it is set aside, and a new one begins. One whose last block the node has is of this chain, whatever was known
 * of the first block before: it gets the name of this chain. So does one whose first block nobody told of before, where most of several
 * nodes say which it is: whether its blocks are the chain's is decided as for a reorg.
 * @throws Failure `rpc-other-chain` when the node alone says that this is another chain, unless a test chain may start over
 */
export async function adoptIndex(
  { chain, store, scope, log, nowMs }: AdoptDeps,
  found: ChainIdentity,
  { identity, mayRestart }: { readonly identity: string; readonly mayRestart: boolean },
): Promise<BlockRef | undefined> {
  const stored = await findCursor(store.read)
  if (stored?.identity === identity) return stored.block
  const [storedId, storedGenesis] = stored?.identity.split(':') ?? []
  const named = stored?.identity.replace(`:${storedGenesis}:`, `:${found.genesis}:`)
  const isRenamed = named === identity && found.genesis !== noGenesis
  const isOurs = async (block: BlockRef) =>
    (await hasBlock(chain, block)) ||
    (storedGenesis === noGenesis && (await isOfMost(chain, { number: 0, branch: found.genesis })))
  const renamed = stored?.block && isRenamed && (await isOurs(stored.block)) ? stored.block : undefined
  // One garbled hash must not name an index, nor a node that leads to another chain for a moment: what it said before is asked again.
  const first = await chain.readHeader(0)
  const again = first?.hash ?? noGenesis
  if (again !== found.genesis)
    throw invalid(`The node first returned ${found.genesis} as the chain's first block, then ${again}`, { block: 0 })
  const chainId = await chain.readChainId()
  if (chainId !== found.chainId) throw otherChain(`The node was on chain ${found.chainId}, and then on ${chainId}`)
  if (stored && renamed) return renameIndex(store, { from: stored.identity, to: identity, block: renamed })
  const isOtherChain = stored?.block !== undefined && storedId === String(found.chainId) && storedGenesis !== found.genesis
  if (isOtherChain && found.genesis === noGenesis) throw withoutGenesis()
  if (isOtherChain && !mayRestart) {
    first?.distrust?.()
    throw otherChain(
      `The node's chain begins with block ${found.genesis}, the stored data is from a chain that begins with ${storedGenesis}`,
    )
  }
  await store
    .write(async (tx) => {
      await lockCursor(tx)
      if ((await findCursor(tx))?.identity !== (stored?.identity ?? '')) throw movedMeanwhile()
      if (isOtherChain) await emptyIndex(tx)
      const number = await setIndexAside(store, tx, Math.floor(nowMs() / 1000))
      await setCursor(tx, { identity, block: undefined })
      await putScope(tx, toStoredScope(scope))
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
  return new Failure('store-in-use', 'Another server writes to the same index', { retryable: true })
}

/** For the log: where the index went, and how an operator gets it back. */
export function describeAside(number: number): string {
  return `The index was set aside as number ${number}, and a new one begins. To get it back, stop the server and run: npm run indexes -- restore ${number}`
}
