import { at } from '../../devnet/at.ts'
import { readConfig } from '../../server/config.ts'
import { nameIndex } from '../../server/indexer/adoptIndex.ts'
import { toStoredScope } from '../../server/indexer/settleScope.ts'
import { storeRange } from '../../server/indexer/storeRange.ts'
import type { WorldHolder } from '../../server/indexer/worldHolder.ts'
import { putScope } from '../../server/store/indexScope.ts'
import { openStore } from '../../server/store/openStore.ts'
import { type BlockRef, setCursor } from '../../server/store/syncCursor.ts'
import type { FabricatedChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { toScope } from '../../server/toScope.ts'
import { toRange, toTokenChain } from '../history/fillHistory.ts'

/** Blocks that the server itself reads at its first start. */
const leftBlocks = 3_000
const blocksAtOnce = 2_000

/** The configuration whose index is made. */
export type Filling = {
  readonly env: Readonly<Record<string, string>>
  readonly networksDir: string
}

/**
 * Makes the index of a configuration from the beginning, by the server's own indexer out of the chain itself, without a node in between.
 * @returns swaps in it
 */
export async function fillIndex(chain: FabricatedChain, { env, networksDir }: Filling, signal: AbortSignal): Promise<number> {
  const config = readConfig(env, networksDir)
  const scope = toScope(config)
  const { startBlock } = config.network.dex
  const genesis = at(toRange(chain, 0, 0).headers, 0).hash
  const identity = nameIndex({ chainId: chain.chainId, genesis }, scope, { startBlock })
  const holder: WorldHolder = { world: undefined }
  const ours = toTokenChain(chain)
  const store = await openStore(config.store)
  try {
    await store.write(async (tx) => {
      await setCursor(tx, { identity, block: undefined })
      await putScope(tx, toStoredScope(scope))
    })
    let cursor: BlockRef | undefined
    const end = chain.head().number - leftBlocks
    for (let from = startBlock; from <= end; from += blocksAtOnce) {
      signal.throwIfAborted()
      const range = toRange(chain, from, Math.min(end, from + blocksAtOnce - 1))
      cursor = await storeRange({ chain: ours, store, scope, identity, holder }, range, cursor)
    }
    const { swaps } = await store.read
      .selectFrom('swaps')
      .select((e) => e.fn.countAll<number>().as('swaps'))
      .executeTakeFirstOrThrow()
    return swaps
  } finally {
    await store.close()
  }
}
