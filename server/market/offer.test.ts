import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { findOffer, hasFreshQuote } from './offer.ts'
import type { KeptSource } from './pollSource.ts'
import { offChain, type Quote, type SourceAnswer } from './source.ts'

const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [priced, unpriced, never] = [address('11'), address('22'), address('33')]
const atSeconds = 10_000

function keep(facts: Partial<Quote> = {}, kept: Partial<KeptSource> = {}): KeptSource {
  const quote: Quote = {
    ...{ ...offChain, source: 'test', usdE18: 1n, confidence: 1, reasons: [], observedAtSeconds: atSeconds },
    ...{ dayAgoUsdE18: undefined, weekAgoUsdE18: undefined, volume24hUsdE18: undefined },
    ...{ fdmcUsdE18: undefined, marketCapUsdE18: undefined },
    ...facts,
  }
  const answers = new Map<Address, SourceAnswer>([
    [priced, { kind: 'quoted', quote, displayPool: undefined }],
    [unpriced, { kind: 'unpriced', reasons: ['No pool'], displayPool: undefined }],
  ])
  return {
    ...{ name: 'test', reading: { atBlock: undefined, answers }, readAtMs: 0, intervalMs: 60_000 },
    ...{ failingSinceMs: undefined, failure: undefined },
    ...kept,
  }
}

/** How long a price is fresh, and whether it is so many seconds later. */
const freshFor = (kept: KeptSource, ageSeconds: number, staleAfterSeconds?: number) => {
  const offer = findOffer(kept, priced, { nowSeconds: atSeconds + ageSeconds, staleAfterSeconds })
  return [offer?.freshSecondsMax, offer?.isFresh]
}

describe("a source's price of a token", () => {
  it('is fresh for five minutes, the last second included, where neither the source nor the network file says more', () => {
    expect(freshFor(keep(), 300)).toEqual([300, true])
    expect(freshFor(keep(), 301)).toEqual([300, false])
  })

  it('is fresh for as long as the network file says, or until a second reading was missed, whichever is later', () => {
    expect(freshFor(keep(), 200, 120)).toEqual([120, false])
    expect(freshFor(keep({}, { intervalMs: 600_000 }), 1_200, 120)).toEqual([1_200, true])
    expect(freshFor(keep({}, { intervalMs: 600_000 }), 1_201, 120)).toEqual([1_200, false])
  })

  it('is fresh for as long as its source says, be it shorter or longer than anything else', () => {
    expect(freshFor(keep({ validSeconds: 10 }, { intervalMs: 600_000 }), 11, 120)).toEqual([10, false])
    expect(freshFor(keep({ validSeconds: 86_400 }), 86_400)).toEqual([86_400, true])
    expect(freshFor(keep({ validSeconds: 0 }), 1)).toEqual([0, false])
  })

  it('outlives the failure of its source, which comes with it', () => {
    const kept = keep({}, { failingSinceMs: 1, failure: 'HTTP 500' })
    const offer = findOffer(kept, priced, { nowSeconds: atSeconds })
    expect([offer?.isFresh, offer?.failure]).toEqual([true, 'HTTP 500'])
  })

  it('is none before the first reading, of a token without a price, and of one that was not asked for', () => {
    const options = { nowSeconds: atSeconds }
    expect(findOffer(keep({}, { reading: undefined }), priced, options)).toBeUndefined()
    expect([unpriced, never].map((token) => findOffer(keep(), token, options))).toEqual([undefined, undefined])
    expect([priced, unpriced, never].map((token) => hasFreshQuote(keep(), token, options))).toEqual([true, false, false])
    expect(hasFreshQuote(keep(), priced, { nowSeconds: atSeconds + 301 })).toBe(false)
  })
})
