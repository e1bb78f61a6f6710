import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findProblems } from '../../../findProblems.ts'
import { networkFileSchema } from '../../../networkFileSchema.ts'
import { deployFeed } from '../../../testing/deployFeed.ts'
import { createDoctorRuns, inList } from '../../../testing/doctorRuns.ts'
import { networkFile } from '../../../testing/market.ts'
import { feeds } from './definition.ts'

const file = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../networks/devnet.json'), 'utf8'))
const [one, other] = [`0x${'aB'.repeat(20)}`, `0x${'cd'.repeat(20)}`] as const
const feed = { aggregator: other, heartbeatSeconds: 3_600 }
const problemsOf = (value: unknown) => findProblems(networkFileSchema, { ...file, feeds: value })

describe('feeds of a network file', () => {
  it('are a feed by the address of a token', () => {
    expect(problemsOf({ [one]: feed })).toEqual([])
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`0x${i.toString(16).padStart(40, '0')}`, feed]))
    for (const value of [{}, [], 'feed', many]) expect(problemsOf(value)).toMatchObject([{ field: 'feeds' }])
  })

  it.each([
    [
      'a symbol for a token',
      { WEMB: feed },
      'feeds.WEMB',
      '1 to 200 price feeds, each by the address of its token: 0x and 40 hexadecimal digits',
    ],
    [
      'no heartbeat',
      { [one]: { aggregator: other } },
      `feeds.${one}.heartbeatSeconds`,
      'seconds after which an answer is too old',
    ],
    [
      'a heartbeat of 0',
      { [one]: { ...feed, heartbeatSeconds: 0 } },
      `feeds.${one}.heartbeatSeconds`,
      'a whole number from 10 to 31536000',
    ],
    [
      'no address',
      { [one]: { ...feed, aggregator: '0x12' } },
      `feeds.${one}.aggregator`,
      'an address: 0x and 40 hexadecimal digits',
    ],
    ['a field too many', { [one]: { ...feed, decimals: 8 } }, `feeds.${one}.decimals`, 'one of aggregator, heartbeatSeconds'],
  ])('with %s are refused in words that say what is wanted', (_, value, field, wanted) => {
    expect(problemsOf(value)).toMatchObject([{ field, wanted: expect.stringContaining(wanted) }])
  })

  it('have to be there where prices.sources names them, each token once', () => {
    expect(feeds.findUnfit(networkFile, {})).toBe('"feeds" only with a "feeds" section')
    const twice = { [one]: feed, [one.toLowerCase()]: feed }
    expect(feeds.findUnfit({ ...networkFile, feeds: twice }, {})).toBe(
      `"feeds" only with one feed for each token: ${one.toLowerCase()} has two`,
    )
    expect(feeds.findUnfit({ ...networkFile, feeds: { [one]: feed } }, {})).toBeUndefined()
  })
})

describe('the doctor', () => {
  const { devnet, headSeconds, linesFor } = createDoctorRuns()

  it('says of each feed what it answers, or what is wrong with it', async () => {
    const [wemb, bslt, tide] = [inList('WEMB'), inList('BSLT'), inList('TIDE')]
    const [good, ether, old] = [
      await deployFeed(devnet(), 8, 'WEMB / USD'),
      await deployFeed(devnet(), 8, 'BSLT / ETH'),
      await deployFeed(devnet(), 8, 'TIDE / USD'),
    ]
    await good.put(2_500_00000000n, headSeconds() - 120)
    await ether.put(1_00000000n, headSeconds())
    await old.put(1_00000000n, 1_000)
    const heartbeatSeconds = 86_400
    const lines = await linesFor({
      network: ({ prices }) => ({
        prices: { ...prices, sources: ['feeds', 'index'] },
        feeds: {
          [wemb.address]: { aggregator: good.address, heartbeatSeconds },
          [bslt.address]: { aggregator: ether.address, heartbeatSeconds },
          [tide.address]: { aggregator: old.address, heartbeatSeconds },
          [other]: { aggregator: good.address, heartbeatSeconds },
        },
      }),
      tokens: [wemb, bslt, tide],
    })
    const todo = 'Correct the address or heartbeatSeconds, or remove the feed: meanwhile the server uses the next source'
    expect(lines.filter((line) => line.includes('feeds.'))).toEqual([
      expect.stringMatching(new RegExp(`^ok    feeds\\.${wemb.id} \\(WEMB\\): "WEMB / USD" \\$2,500\\.00, \\dm ago$`)),
      `warn  feeds.${bslt.id} (BSLT): found "BSLT / ETH", expected a feed in US dollars. Check which pair it prices`,
      `warn  feeds.${tide.id} (TIDE): found no price: The price feed ${old.address} last answered Jan 1, 1970: its heartbeat is 86400 s, expected an aggregator that reports a price in US dollars. ${todo}`,
      `warn  feeds.${other}: found no such token in the list, expected a listed token. Until it is listed, its price is not shown`,
    ])
  })
})
