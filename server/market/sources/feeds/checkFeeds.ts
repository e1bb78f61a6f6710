import { e18ToNumber, formatRelativeTime, formatUsdPrice } from '@chainboard/core'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { callMany } from '../../../chain/callMany.ts'
import { fail, ok, warn } from '../../../finding.ts'
import { toMulticall } from '../../../networkFile.ts'
import type { SourceChain, SourceVisit } from '../../sourceDefinition.ts'
import { type Feed, type feedFile, toFeeds } from './feedFields.ts'
import { judgeFeed } from './judgeFeed.ts'
import { readFeeds } from './readFeeds.ts'

const abi = parseAbi(['function description() view returns (string)'])
const descriptionCharsMax = 40

/** Whether each feed has a price now, in dollars, of a token that is listed. */
export async function checkFeeds({ network, tokens, chain, say }: SourceVisit<typeof feedFile>): Promise<void> {
  const feeds = toFeeds(network.feeds)
  const field = (feed: Feed) => {
    const token = tokens.find(({ id }) => id === feed.token)
    return `feeds.${feed.token}${token ? ` (${token.symbol})` : ''}`
  }
  const trouble = network.prices.sources.length === 1 ? fail : warn
  const wanted = 'an aggregator that reports a price in US dollars'
  const todo = 'Correct the address or heartbeatSeconds, or remove the feed: meanwhile the server uses the next source'
  if (!chain) return say(trouble({ field: 'feeds', found: 'no node to ask', wanted, todo: 'Fix the nodes first' }))
  const { head, readings } = await readFeeds(chain, feeds, toMulticall(network))
  const descriptions = await readDescriptions(chain, feeds, network)
  for (const [i, reading] of readings.entries()) {
    const { feed } = reading
    const verdict = judgeFeed(reading, head.timestampSeconds)
    const description = descriptions[i]
    if (verdict.kind === 'none') say(trouble({ field: field(feed), found: `no price: ${verdict.why}`, wanted, todo }))
    else if (!tokens.some(({ id }) => id === feed.token))
      say(
        warn({
          field: field(feed),
          found: 'no such token in the list',
          wanted: 'a listed token',
          todo: 'Until it is listed, its price is not shown',
        }),
      )
    else if (description !== undefined && !/usd\s*$/i.test(description))
      say(
        warn({
          field: field(feed),
          found: `"${description}"`,
          wanted: 'a feed in US dollars',
          todo: 'Check which pair it prices',
        }),
      )
    else {
      const price = formatUsdPrice(e18ToNumber(verdict.usdE18))
      const age = formatRelativeTime(verdict.updatedAtSeconds, head.timestampSeconds)
      say(ok(field(feed), `${description === undefined ? '' : `"${description}" `}${price}, ${age}`))
    }
  }
}

/** What the aggregators call themselves; undefined where one does not say. */
async function readDescriptions(chain: SourceChain, feeds: readonly Feed[], network: SourceVisit['network']) {
  const data = encodeFunctionData({ abi, functionName: 'description' })
  const calls = feeds.map(({ aggregator }) => ({ to: aggregator, data }))
  const answers = await callMany(chain, calls, { multicall: toMulticall(network), block: 'latest' })
  return answers.map((answer) => {
    try {
      if (answer === undefined) return undefined
      return decodeFunctionResult({ abi, functionName: 'description', data: answer }).slice(0, descriptionCharsMax)
    } catch {
      return undefined
    }
  })
}
