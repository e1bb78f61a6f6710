import type { Address } from '@chainboard/core'
import { offChain, type PriceSource, type Quote, type SourceAnswer } from '../../source.ts'
import type { SourceChain } from '../../sourceDefinition.ts'
import type { Feed } from './feedFields.ts'
import { judgeFeed } from './judgeFeed.ts'
import { readFeeds } from './readFeeds.ts'

/** Several reporters, weighed by somebody else: trusted, but nobody can work it out again. */
const feedConfidence = 0.9

export type FeedSourceOptions = {
  readonly feeds: readonly Feed[]
  readonly multicall: Address
}

/** Prices of aggregators on the chain, at its newest block. A reading costs the head and one multicall. */
export function createFeedSource(chain: SourceChain, { feeds, multicall }: FeedSourceOptions): PriceSource {
  return {
    name: 'feeds',
    read: async (tokens) => {
      const listed = new Set(tokens.map(({ id }) => id))
      const asked = feeds.filter(({ token }) => listed.has(token))
      const told = new Map<Address, SourceAnswer>()
      if (asked.length > 0) {
        const { head, readings } = await readFeeds(chain, asked, multicall)
        for (const reading of readings) {
          const { token, aggregator, heartbeatSeconds } = reading.feed
          const verdict = judgeFeed(reading, head.timestampSeconds)
          if (verdict.kind === 'none') {
            told.set(token, unpriced(verdict.why))
            continue
          }
          const { usdE18, updatedAtSeconds, roundId } = verdict
          const askedAs = `latestRoundData() of ${aggregator}, round ${roundId}, at block ${head.number}`
          const quote = toQuote({ usdE18, observedAtSeconds: updatedAtSeconds, validSeconds: heartbeatSeconds, askedAs })
          told.set(token, { kind: 'quoted', quote, displayPool: undefined })
        }
      }
      return { atBlock: undefined, answers: new Map(tokens.map(({ id }) => [id, told.get(id) ?? noFeed])) }
    },
  }
}

function toQuote(said: Pick<Quote, 'usdE18' | 'observedAtSeconds'> & Required<Pick<Quote, 'validSeconds' | 'askedAs'>>): Quote {
  return {
    ...offChain,
    ...said,
    source: 'feeds',
    confidence: feedConfidence,
    reasons: [],
    dayAgoUsdE18: undefined,
    weekAgoUsdE18: undefined,
    volume24hUsdE18: undefined,
    fdmcUsdE18: undefined,
    marketCapUsdE18: undefined,
  }
}

const noFeed = unpriced('The network file names no price feed for this token')

function unpriced(reason: string): SourceAnswer {
  return { kind: 'unpriced', reasons: [reason], displayPool: undefined }
}
