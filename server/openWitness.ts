import type { Chain } from './chain/chain.ts'
import { createViemChain } from './chain/viemChain.ts'
import type { Config } from './config.ts'
import { decodeCreation, decodePoolEvent, indexedTopics } from './indexer/decodeLog.ts'
import { toAddress, toFollowing, toMulticall } from './networkFile.ts'
import type { Store } from './store/store.ts'
import { createWitness, type WitnessDeps } from './witness/createWitness.ts'
import type { Witness } from './witness/witness.ts'

type Parts = {
  readonly chain: Chain
  readonly store: Store
  readonly log: WitnessDeps['log']
  /** Whether a pool of these tokens belongs to the index as it is now. */
  readonly wants: WitnessDeps['wants']
  readonly isListed: WitnessDeps['isListed']
}

/** What checks the index against every node of the configuration, each asked by itself. */
export function openWitness({ network, rpcUrls }: Config, { chain, store, log, wants, isListed }: Parts): Witness {
  return createWitness({
    nodes: rpcUrls.map((url) => createViemChain([url], { paced: true })),
    store,
    topics: indexedTopics,
    factory: toAddress(network.dex.factory),
    wants,
    isListed,
    decode: decodePoolEvent,
    decodeCreation,
    startBlock: network.dex.startBlock,
    reorgDepthMax: toFollowing(network).reorgDepthMax,
    multicall: toMulticall(network),
    log,
    forward: chain.forward,
    distrust: chain.distrust,
    putLast: chain.putLast,
    readHeader: chain.readHeader,
    nowMs: () => performance.now(),
    nowSeconds: () => Math.floor(Date.now() / 1_000),
  })
}
