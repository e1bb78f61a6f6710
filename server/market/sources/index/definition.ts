import type { SourceDefinition } from '../../sourceDefinition.ts'

const file = {}

/** Our own index, which is read after every block. */
export const index: SourceDefinition<typeof file> = {
  name: 'index',
  label: 'Pools on this chain',
  inSentences: 'the index',
  readsChain: true,
  file,
  env: {},
  findUnfit: (network) => (network.index.pools === 'none' ? '"index" only when index.pools is "all" or "listed"' : undefined),
  open: (parts) => parts.index && { source: parts.index, intervalMs: () => 0 },
  check: () => {
    // The doctor looks at nodes, exchange and tokens anyway.
  },
}
