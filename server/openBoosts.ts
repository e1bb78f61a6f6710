import { type Boosts, noBoosts } from './boosts/boosts.ts'
import { followBoosts } from './boosts/followBoosts.ts'
import type { Chain } from './chain/chain.ts'
import { createViemChain } from './chain/viemChain.ts'
import type { Config } from './config.ts'
import type { SourceLog } from './market/pollSource.ts'
import { toAddress, toFollowing } from './networkFile.ts'
import { pause } from './pause.ts'
import type { Store } from './store/store.ts'
import { readWeighedLogs } from './witness/readReceipts.ts'

type Parts = {
  readonly chain: Chain
  /** A chain for everything, instead of the nodes of the configuration. */
  readonly given?: Chain | undefined
  readonly store: Store
  readonly log: SourceLog
}

/** The boosts of one network, followed from now on; none where the network file names no contract. */
export async function openBoosts(
  { network, rpcUrls }: Pick<Config, 'network' | 'rpcUrls'>,
  { chain, given, store, log }: Parts,
): Promise<Boosts & { stop(): Promise<void> }> {
  const { boost, usdc } = network
  if (!boost) return { ...noBoosts, stop: async () => undefined }
  return followBoosts({
    chain,
    nodes: given ? [given] : rpcUrls.map((url) => createViemChain([url], { paced: true })),
    readReceipts: readWeighedLogs,
    store,
    log,
    pause,
    nowMs: () => Date.now(),
    steadyMs: () => performance.now(),
    chainId: network.chain.id,
    contract: toAddress(boost.address),
    startBlock: boost.startBlock,
    usdc: { address: toAddress(usdc.address), decimals: usdc.decimals },
    ...toFollowing(network),
  })
}
