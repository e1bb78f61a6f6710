import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { pickQuote } from './pickQuote.ts'
import type { KeptSource } from './pollSource.ts'
import { offChain, type Quote, type SourceAnswer, type SourceName } from './source.ts'

const token = `0x${'20'.repeat(20)}` as Address
const nowSeconds = 1_800_000_000
const minute = 60

const keep = (name: SourceName, answer: SourceAnswer | undefined, rest: Partial<KeptSource> = {}): KeptSource => ({
  name,
  reading: { atBlock: undefined, answers: new Map(answer ? [[token, answer]] : []) },
  readAtMs: nowSeconds * 1000,
  intervalMs: 0,
  failingSinceMs: undefined,
  failure: undefined,
  ...rest,
})
/** `cents` of a dollar, `ageSeconds` old. */
const quoted = (source: SourceName, cents: number, ageSeconds = 0): SourceAnswer => ({
  kind: 'quoted',
  displayPool: undefined,
  quote: { ...blank, source, usdE18: BigInt(cents) * 10n ** 16n, observedAtSeconds: nowSeconds - ageSeconds },
})
const blank: Omit<Quote, 'source' | 'usdE18' | 'observedAtSeconds'> = {
  ...offChain,
  confidence: 1,
  reasons: [],
  dayAgoUsdE18: undefined,
  weekAgoUsdE18: undefined,
  volume24hUsdE18: 0n,
  fdmcUsdE18: undefined,
  marketCapUsdE18: undefined,
}
const unpriced = (reason: string): SourceAnswer => ({ kind: 'unpriced', reasons: [reason], displayPool: undefined })

const pick = (kept: KeptSource[], options: { spreadMaxPercent?: number; chain?: KeptSource | undefined } = {}) =>
  pickQuote(token, kept, { nowSeconds, chain: kept.find(({ name }) => name === 'index'), ...options })

describe('whose price counts', () => {
  it('is the first source with a fresh one', () => {
    const { quote, reasons } = pick([keep('cmcListed', quoted('cmcListed', 100)), keep('index', quoted('index', 99))])
    expect(quote?.source).toBe('cmcListed')
    expect(reasons).toEqual([])
  })

  it('is the next one where the first says that it has none', () => {
    const listed = keep('cmcListed', unpriced('CoinMarketCap does not list alpha'))
    expect(pick([listed, keep('index', quoted('index', 99))])).toMatchObject({ quote: { source: 'index' }, reasons: [] })
  })

  it('is the next one where the first is old, and again the first when that is fresh', () => {
    const index = keep('index', quoted('index', 99))
    expect(pick([keep('cmcListed', quoted('cmcListed', 100, 6 * minute)), index]).quote?.source).toBe('index')
    expect(pick([keep('cmcListed', quoted('cmcListed', 100, 5 * minute)), index]).quote?.source).toBe('cmcListed')
  })

  it('allows a source that is asked seldom twice its interval', () => {
    const intervalMs = 8 * minute * 1000
    const index = keep('index', quoted('index', 99))
    const listed = (ageMinutes: number) => keep('cmcListed', quoted('cmcListed', 100, ageMinutes * minute), { intervalMs })
    expect(pick([listed(16), index])).toMatchObject({ quote: { source: 'cmcListed' }, freshSecondsMax: 16 * minute })
    expect(pick([listed(17), index]).quote?.source).toBe('index')
  })

  it('is that of a feed for as long as the feed says, however often it is read', () => {
    const index = keep('index', quoted('index', 99))
    const feed = (validSeconds: number, ageSeconds: number) => {
      const answer = quoted('feeds', 100, ageSeconds)
      if (answer.kind !== 'quoted') throw new Error('no quote')
      return keep('feeds', { ...answer, quote: { ...answer.quote, validSeconds } }, { intervalMs: 30_000 })
    }
    expect(pick([feed(86_400, 86_400), index])).toMatchObject({
      quote: { source: 'feeds' },
      freshSecondsMax: 86_400,
      reasons: [],
    })
    expect(pick([feed(86_400, 86_401), index]).quote?.source).toBe('index')
    // Short of the five minutes that other prices may be old.
    expect(pick([feed(10, 11), index]).quote?.source).toBe('index')
  })

  it('is never that of DEX pairs asked more seldom than every 15 minutes, where another one is fresh', () => {
    const index = keep('index', quoted('index', 99))
    const dex = (intervalMinutes: number) =>
      keep('cmcDex', quoted('cmcDex', 100), { intervalMs: intervalMinutes * minute * 1000 })
    expect(pick([dex(15), index]).quote?.source).toBe('cmcDex')
    expect(pick([dex(16), index]).quote?.source).toBe('index')
    expect(pick([dex(16), keep('index', unpriced('No pool'))]).quote?.source).toBe('cmcDex')
    expect(pick([dex(16), keep('index', quoted('index', 99, 3_600))])).toMatchObject({ quote: { source: 'cmcDex' }, reasons: [] })
  })

  it('is the newest of all where none is fresh, and says how old it is and what failed', () => {
    const listed = keep('cmcListed', quoted('cmcListed', 100, 2 * 3_600), {
      failure: 'CoinMarketCap is not responding: ECONNREFUSED',
    })
    expect(pick([keep('index', quoted('index', 99, 3 * 3_600)), listed])).toMatchObject({
      quote: { source: 'cmcListed' },
      reasons: ['Stale: the last good price is from 2h ago', 'CoinMarketCap is not responding: ECONNREFUSED'],
    })
  })

  it("is nobody's where none has one, with the reasons of all", () => {
    const silent = keep('cmcDex', undefined, { reading: undefined, failure: 'CoinMarketCap is not responding: ECONNREFUSED' })
    const kept = [
      keep('cmcListed', unpriced('The token list has no CoinMarketCap page for this token')),
      silent,
      keep('index', unpriced('No pool')),
    ]
    expect(pick(kept)).toEqual({
      quote: undefined,
      freshSecondsMax: 0,
      reasons: [
        'The token list has no CoinMarketCap page for this token',
        "No response yet from CoinMarketCap's DEX side",
        'CoinMarketCap is not responding: ECONNREFUSED',
        'No pool',
      ],
    })
  })
})

describe('a source that lies', () => {
  const reasonsOf = (cents: number, chainCents: number, options = {}) =>
    pick([keep('cmcListed', quoted('cmcListed', cents)), keep('index', quoted('index', chainCents))], options).reasons

  it('is taken from the index, with both figures', () => {
    expect(reasonsOf(120, 100)).toEqual(['CoinMarketCap says $1.20, the index $1.00: 20.0 % apart'])
    expect(reasonsOf(80, 100)).toEqual(['CoinMarketCap says $0.8000, the index $1.00: 20.0 % apart'])
  })

  it('is allowed the spread of the network file, 10 % where it names none', () => {
    expect(reasonsOf(110, 100)).toEqual([])
    expect(reasonsOf(111, 100)).toHaveLength(1)
    expect(reasonsOf(111, 100, { spreadMaxPercent: 20 })).toEqual([])
    expect(reasonsOf(101, 100, { spreadMaxPercent: 0 })).toHaveLength(1)
  })

  it('is not measured by an index that is behind, and is by one that sets no price itself', () => {
    const listed = keep('cmcListed', quoted('cmcListed', 120))
    expect(pick([listed, keep('index', quoted('index', 100, 3_600))]).reasons).toEqual([])
    expect(pick([listed], { chain: keep('subgraph', quoted('subgraph', 100)) }).reasons).toEqual([
      'CoinMarketCap says $1.20, the subgraph $1.00: 20.0 % apart',
    ])
  })
})
