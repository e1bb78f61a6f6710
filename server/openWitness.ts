import type { Chain } from './chain/chain.ts'
import { createViemChain } from './chain/viemChain.ts'
import type { Config } from './config.ts'
import { decodePoolEvent, indexedTopics } from './indexer/decodeLog.ts'
import { toMulticall } from './networkFile.ts'
import type { Store } from './store/store.ts'
import { createWitness, type Witness, type WitnessDeps } from './witness/createWitness.ts'

type Parts = { readonly chain: Chain; readonly store: Store; readonly log: WitnessDeps['log'] }

/** What checks the index against every node of the configuration, each asked by itself. */
export function openWitness({ network, rpcUrls }: Config, { chain, store, log }: Parts): Witness {
  return createWitness({
    nodes: rpcUrls.map((url) => createViemChain([url])),
    store,
    topics: indexedTopics,
    decode: decodePoolEvent,
    multicall: toMulticall(network),
    log,
    distrust: chain.distrust,
    nowMs: Date.now,
  })
}
