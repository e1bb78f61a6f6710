import { describe, expect, it } from 'vitest'
import { judgeFeed } from './judgeFeed.ts'
import type { FeedReading, Round } from './readFeeds.ts'

const aggregator = `0x${'ab'.repeat(20)}` as const
const nowSeconds = 1_760_000_000
const feed = { token: `0x${'01'.repeat(20)}`, aggregator, heartbeatSeconds: 3_600 } as const
const round: Round = { roundId: 7n, answer: 2_500_00000000n, updatedAt: BigInt(nowSeconds - 60) }
const judge = (changes: Partial<Round> = {}, rest: Partial<FeedReading> = {}) =>
  judgeFeed({ feed, round: { ...round, ...changes }, decimals: 8, ...rest }, nowSeconds)
const none = (why: string) => ({ kind: 'none', why: `The price feed ${aggregator} ${why}` })

describe('the answer of an aggregator', () => {
  it('is its answer over ten to its decimals, as of when it was updated', () => {
    const updatedAtSeconds = 1_759_999_940
    expect(judge()).toEqual({ kind: 'price', usdE18: 2_500n * 10n ** 18n, updatedAtSeconds, roundId: 7n })
    expect(judge({ answer: 3n }, { decimals: 0 })).toMatchObject({ usdE18: 3n * 10n ** 18n })
    expect(judge({ answer: 5n * 10n ** 76n }, { decimals: 77 })).toMatchObject({ usdE18: 5n * 10n ** 17n })
    expect(judge({ answer: 1n }, { decimals: 18 })).toMatchObject({ usdE18: 1n })
  })

  it('is a price for its heartbeat and not a second longer', () => {
    const updatedAt = BigInt(nowSeconds - 3_600)
    expect(judge({ updatedAt })).toMatchObject({ kind: 'price', updatedAtSeconds: nowSeconds - 3_600 })
    expect(judge({ updatedAt: updatedAt - 1n })).toEqual(none('last answered 1h ago: its heartbeat is 3600 s'))
    expect(judge({ updatedAt: 1n })).toEqual(none('last answered Jan 1, 1970: its heartbeat is 3600 s'))
  })

  it.each<[string, Partial<Round>, string]>([
    ['zero', { answer: 0n }, 'answers 0'],
    ['negative', { answer: -5n }, 'answers -5'],
    ['of a round in progress', { updatedAt: 0n }, 'is in the middle of a round'],
    ['of tomorrow', { updatedAt: BigInt(nowSeconds + 61) }, 'reports a time in the future'],
    ['of a time beyond all clocks', { updatedAt: 2n ** 256n - 1n }, 'reports a time in the future'],
    ['10^70', { answer: 10n ** 70n }, 'reports more than 10^12 US dollars'],
    ['over a trillion dollars', { answer: 10n ** 20n + 1n }, 'reports more than 10^12 US dollars'],
  ])('that is %s is no price', (_, changes, why) => {
    expect(judge(changes)).toEqual(none(why))
  })

  it('within a minute of the block is not taken for one of the future', () => {
    expect(judge({ updatedAt: BigInt(nowSeconds + 60) })).toMatchObject({ kind: 'price' })
  })

  it('is no price with decimals that no token has, or so many that nothing is left', () => {
    expect(judge({}, { decimals: 78 })).toEqual(none('has 78 decimals, over 77'))
    expect(judge({}, { decimals: 255 })).toEqual(none('has 255 decimals, over 77'))
    expect(judge({}, { decimals: undefined })).toEqual(none('does not report its decimals'))
    expect(judge({}, { decimals: 77 })).toEqual(none('reports less than 10^-18 US dollars'))
  })

  it('is missing where no contract is, or one that answers something else', () => {
    const why = `No contract answers at the price feed ${aggregator}`
    expect(judge({}, { round: 'nothing', decimals: undefined })).toEqual({ kind: 'none', why })
    expect(judge({}, { round: 'refused' })).toEqual(none('does not answer latestRoundData()'))
  })
})
