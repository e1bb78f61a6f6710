import { toMulticall } from '../../../networkFile.ts'
import type { SourceDefinition } from '../../sourceDefinition.ts'
import { checkFeeds } from './checkFeeds.ts'
import { feedFile, toFeeds } from './feedFields.ts'
import { createFeedSource } from './feedSource.ts'

const intervalMs = 30_000

/** Price feeds on the chain, as Chainlink and others run them: one aggregator contract for a token. */
export const feeds: SourceDefinition<typeof feedFile> = {
  name: 'feeds',
  label: 'A price feed on this chain',
  inSentences: 'the price feed',
  file: feedFile,
  env: {},
  findUnfit: (network) => {
    const tokens = toFeeds(network.feeds).map(({ token }) => token)
    if (tokens.length === 0) return '"feeds" only with a "feeds" section'
    const twice = tokens.find((token, i) => tokens.indexOf(token) !== i)
    return twice && `"feeds" only with one feed for each token: ${twice} has two`
  },
  open: ({ network, openChain }) => {
    const options = { feeds: toFeeds(network.feeds), multicall: toMulticall(network) }
    return { source: createFeedSource(openChain(), options), intervalMs: () => intervalMs }
  },
  check: checkFeeds,
  askedAs: (_market, quote) => quote.askedAs ?? '',
  volumeOfPools: true,
}
