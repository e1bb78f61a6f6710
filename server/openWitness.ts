import { type Address, parseAddress } from '@chainboard/core'
import type { Chain } from './chain/chain.ts'
import { createViemChain } from './chain/viemChain.ts'
import type { Config } from './config.ts'
import { decodeCreation, decodePoolEvent, indexedTopics } from './indexer/decodeLog.ts'
import { toMulticall } from './networkFile.ts'
import type { Store } from './store/store.ts'
import { createWitness, type Witness, type WitnessDeps } from './witness/createWitness.ts'

type Parts = { readonly chain: Chain; readonly store: Store; readonly log: WitnessDeps['log'] }

/** What checks the index against every node of the configuration, each asked by itself. */
export function openWitness({ network, tokenList, rpcUrls }: Config, { chain, store, log }: Parts): Witness {
  const listed = network.index.pools === 'listed' ? new Set(tokenList.tokens.map(({ id }) => id)) : undefined
  return createWitness({
    nodes: rpcUrls.map((url) => createViemChain([url], { paced: true })),
    store,
    topics: indexedTopics,
    factory: parseAddress(network.dex.factory) as Address,
    wants: (token0, token1) => !listed || listed.has(token0) || listed.has(token1),
    decode: decodePoolEvent,
    decodeCreation,
    startBlock: network.dex.startBlock,
    multicall: toMulticall(network),
    log,
    forward: chain.forward,
    distrust: chain.distrust,
    nowMs: Date.now,
  })
}
