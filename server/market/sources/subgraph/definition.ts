import { toValuation } from '../../../networkFile.ts'
import type { SourceDefinition } from '../../sourceDefinition.ts'
import { createSubgraphClient } from '../../subgraph/subgraphClient.ts'
import { checkSubgraph } from './checkSubgraph.ts'
import { findSubgraphUrl, subgraphFile } from './findSubgraphUrl.ts'
import { createSubgraphSource } from './subgraphSource.ts'

/** A reading takes four calls or more, and hosted gateways count them by the month. */
const subgraphIntervalMs = 60_000

/** A remote Uniswap v3 subgraph. */
export const subgraph: SourceDefinition<typeof subgraphFile> = {
  name: 'subgraph',
  label: 'Pools on this chain, through a subgraph',
  inSentences: 'the subgraph',
  readsChain: true,
  file: subgraphFile,
  env: {
    SUBGRAPH_URL: {
      isFit: (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
      found: 'a text that is not a URL',
      wanted: 'an http or https URL',
    },
  },
  findUnfit: (network, env) =>
    findSubgraphUrl(network, env) ? undefined : '"subgraph" only with a subgraphUrl, or with SUBGRAPH_URL set',
  open: ({ network, env, index, signal }) => {
    const url = findSubgraphUrl(network, env)
    // Beside an index it is asked only where it is named.
    if (!url || (index && !network.prices.sources.includes('subgraph'))) return undefined
    const source = createSubgraphSource(createSubgraphClient(url, { signal }), toValuation(network))
    return { source, intervalMs: () => subgraphIntervalMs }
  },
  check: checkSubgraph,
}
