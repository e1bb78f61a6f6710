import { type Address, parseAddress } from '@chainboard/core'
import { type Boosts, noBoosts } from './boosts/boosts.ts'
import { followBoosts } from './boosts/followBoosts.ts'
import type { Chain } from './chain/chain.ts'
import type { Config } from './config.ts'
import type { SourceLog } from './market/pollSource.ts'
import { toFollowing } from './networkFile.ts'
import { pause } from './pause.ts'
import type { Store } from './store/store.ts'

/** The boosts of one network, followed from now on; none where the network file names no contract. */
export async function openBoosts(
  { network }: Pick<Config, 'network'>,
  { chain, store, log }: { readonly chain: Chain; readonly store: Store; readonly log: SourceLog },
): Promise<Boosts & { stop(): Promise<void> }> {
  const { boost, usdc } = network
  if (!boost) return { ...noBoosts, stop: async () => undefined }
  return followBoosts({
    chain,
    store,
    log,
    pause,
    nowMs: () => Date.now(),
    chainId: network.chain.id,
    contract: parseAddress(boost.address) as Address,
    startBlock: boost.startBlock,
    usdc: { address: parseAddress(usdc.address) as Address, decimals: usdc.decimals },
    ...toFollowing(network),
  })
}
