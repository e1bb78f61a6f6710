import { type NetworkFile, toValuation } from '../networkFile.ts'
import type { IndexReader } from '../store/indexSwitch.ts'
import type { PriceSource } from './source.ts'
import { createIndexSource, type IndexSourceOptions } from './sources/indexSource.ts'
import { createSubgraphSource } from './sources/subgraphSource.ts'
import type { SubgraphClient } from './subgraph/subgraphClient.ts'

/** Prices from our own index, by the network file's stable coins and depth floor. */
export function createMarketSource(
  index: IndexReader,
  network: NetworkFile,
  known: Pick<IndexSourceOptions, 'headSeconds' | 'holdOf'> = {},
): PriceSource {
  return createIndexSource(index, { ...toValuation(network), ...known })
}

/** The same prices from a subgraph of the same exchange. */
export function createRemoteSource(client: SubgraphClient, network: NetworkFile): PriceSource {
  return createSubgraphSource(client, toValuation(network))
}
