import type { Chain } from './chain/chain.ts'
import { createTransactionReader } from './chain/readTransactions.ts'
import type { Config } from './config.ts'
import { createGraphServer, type GraphServer } from './graph/graphServer.ts'
import { createSenderReader } from './graph/readSenders.ts'
import type { SourceLog } from './market/pollSource.ts'
import { findSubgraphUrl } from './market/sources/subgraph/findSubgraphUrl.ts'
import { createSubgraphForward } from './market/subgraph/subgraphForward.ts'
import { toValuation } from './networkFile.ts'
import type { StoreLocation } from './store/storeLocation.ts'

export type Graph = Pick<GraphServer, 'answer' | 'close'>

type Parts = {
  readonly chain: Chain
  readonly log: SourceLog
  readonly signal: AbortSignal
  /** Absent: there is no replica. */
  readonly hasNearReplica?: (() => boolean) | undefined
}

/** The index as a subgraph; without an index, a forward to the remote one. */
export function openGraph({ network, store, readUrl, sourceEnv }: Config, { chain, log, signal, hasNearReplica }: Parts): Graph {
  const subgraphUrl = findSubgraphUrl(network, sourceEnv)
  if (network.index.pools === 'none' && subgraphUrl) {
    const forward = createSubgraphForward(subgraphUrl, { signal })
    return { answer: async (body) => ({ body: await forward(body) }), close: async () => undefined }
  }
  const serve = (location: StoreLocation) =>
    createGraphServer({
      store: location,
      facts: { factory: network.dex.factory.toLowerCase(), valuation: toValuation(network) },
      readTransactions: createSenderReader(createTransactionReader(chain)),
      onBug: (err) => log.error({ err }, 'A subgraph query failed because of a bug'),
    })
  const own = serve(store)
  if (!readUrl || !hasNearReplica) return own
  // Threads start with their first query: the other one's runs only when it is needed.
  const replica = serve({ databaseUrl: readUrl })
  return {
    answer: (body, client) => (hasNearReplica() ? replica : own).answer(body, client),
    close: async () => void (await Promise.all([own.close(), replica.close()])),
  }
}
