import type { FakeChain } from '../chain/fakeChain.ts'
import { followChain } from '../indexer/followChain.ts'
import { toValuation } from '../networkFile.ts'
import type { Store } from '../store/store.ts'
import { followingDefaults, limitDefaults } from './following.ts'
import { factory, networkFile } from './market.ts'

/** Reads the small market's chain up to its head. */
export async function followToHead(chain: FakeChain, store: Store): Promise<void> {
  const complete = Promise.withResolvers<void>()
  const follower = followChain({
    ...followingDefaults,
    chain,
    store,
    scope: { factory, onlyTokens: undefined, valuation: toValuation(networkFile) },
    limits: limitDefaults,
    onChange: ({ caughtUp }) => caughtUp && complete.resolve(),
  })
  await complete.promise
  await follower.stop()
}
