import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DexPair, type ListedCoin, parseCoins, parsePairs } from './cmcShapes.ts'
import { quoteFromCoin, quoteFromPair } from './quoteFromCmc.ts'

const recordings = resolve(import.meta.dirname, '../../../../shared/data/cmc')
const record = (name: string): unknown => JSON.parse(readFileSync(resolve(recordings, name), 'utf8'))
const nowSeconds = Date.parse('2026-11-20T12:00:00Z') / 1000

const coin = (usd: object, rest: object = {}): ListedCoin =>
  ({ id: 7, slug: 'alpha', last_updated: '2026-11-20T11:58:00.000Z', quote: { USD: usd }, ...rest }) as ListedCoin

describe('a coin of the listing', () => {
  it('changes in percent, and a price a day before follows from that', () => {
    const quote = quoteFromCoin(
      coin({ price: 1.5, percent_change_24h: 50, percent_change_7d: -25, volume_24h: 1_000 }),
      nowSeconds,
    )
    expect(quote).toMatchObject({
      source: 'cmcListed',
      usdE18: 1_500_000_000_000_000_000n,
      dayAgoUsdE18: 1_000_000_000_000_000_000n,
      weekAgoUsdE18: 2_000_000_000_000_000_000n,
      volume24hUsdE18: 1_000_000_000_000_000_000_000n,
      observedAtSeconds: Date.parse('2026-11-20T11:58:00Z') / 1000,
    })
  })

  it.each([[null], [0], [undefined], [''], ['n/a'], [-1]])('has no quote with the price %s: it is not tracked', (price) =>
    expect(quoteFromCoin(coin({ price }), nowSeconds)).toBeUndefined(),
  )

  it('has no market cap of its own where that is null or 0', () => {
    const quote = quoteFromCoin(coin({ price: 2, market_cap: 0, fully_diluted_market_cap: null, volume_24h: null }), nowSeconds)
    expect(quote).toMatchObject({ marketCapUsdE18: undefined, fdmcUsdE18: undefined, volume24hUsdE18: 0n })
  })

  it('has no price a day before where the change is null, or a fall by everything', () => {
    expect(quoteFromCoin(coin({ price: 2, percent_change_24h: null }), nowSeconds)?.dayAgoUsdE18).toBeUndefined()
    expect(quoteFromCoin(coin({ price: 2, percent_change_24h: -100 }), nowSeconds)?.dayAgoUsdE18).toBeUndefined()
  })

  it('is never from the future, and from now when nothing says when', () => {
    const ahead = coin({ price: 2, last_updated: '2027-01-01T00:00:00Z' })
    expect(quoteFromCoin(ahead, nowSeconds)?.observedAtSeconds).toBe(nowSeconds)
    expect(quoteFromCoin(coin({ price: 2 }, { last_updated: 'whenever' }), nowSeconds)?.observedAtSeconds).toBe(nowSeconds)
  })
})

const ours = `0x${'Ab'.repeat(20)}`
const token = ours.toLowerCase() as `0x${string}`
const other = `0x${'12'.repeat(20)}`
const pair = (quote: object, rest: object = {}): DexPair =>
  ({
    contract_address: `0x${'c0'.repeat(20)}`,
    base_asset_contract_address: ours,
    quote_asset_contract_address: other,
    quote: [{ convert_id: '2781', ...quote }],
    ...rest,
  }) as DexPair

describe('a pair of the DEX side', () => {
  it('changes by a fraction, whatever the field is called', () => {
    // 0.25 is 25 %: 5 dollars now were 4 a day before.
    expect(quoteFromPair(pair({ price: 5, percent_change_price_24h: 0.25 }), token, nowSeconds)).toMatchObject({
      source: 'cmcDex',
      usdE18: 5_000_000_000_000_000_000n,
      dayAgoUsdE18: 4_000_000_000_000_000_000n,
    })
  })

  it("has the base asset's price: the quote asset's is worked out, and its change is not known", () => {
    const turned = pair(
      { price: 6, price_by_quote_asset: 4, percent_change_price_24h: 0.25, fully_diluted_value: 9 },
      { base_asset_contract_address: other, quote_asset_contract_address: ours },
    )
    expect(quoteFromPair(turned, token, nowSeconds)).toMatchObject({
      usdE18: 1_500_000_000_000_000_000n,
      dayAgoUsdE18: undefined,
      fdmcUsdE18: undefined,
    })
    expect(quoteFromPair({ ...turned, quote: [{ price: 6, price_by_quote_asset: 0 }] }, token, nowSeconds)).toBeUndefined()
  })

  it('has its value within the quote or beside it, or not at all', () => {
    const [within, beside] = [pair({ price: 5, fully_diluted_value: 70 }), pair({ price: 5 }, { fully_diluted_value: 80 })]
    expect(quoteFromPair(within, token, nowSeconds)?.fdmcUsdE18).toBe(70n * 10n ** 18n)
    expect(quoteFromPair(beside, token, nowSeconds)?.fdmcUsdE18).toBe(80n * 10n ** 18n)
    expect(quoteFromPair(pair({ price: 5, fully_diluted_value: null }), token, nowSeconds)?.fdmcUsdE18).toBeUndefined()
  })

  it('is not taken for a token that is on neither side, nor without a price', () => {
    expect(quoteFromPair(pair({ price: 5 }, { base_asset_contract_address: other }), token, nowSeconds)).toBeUndefined()
    expect(quoteFromPair(pair({ price: null }), token, nowSeconds)).toBeUndefined()
  })

  it('takes amounts as text, and the quote that is in US dollars', () => {
    const both = pair(
      {},
      {
        quote: [
          { convert_id: '1027', price: '0.001' },
          { convert_id: '2781', price: '2.5' },
        ],
      },
    )
    expect(quoteFromPair(both, token, nowSeconds)?.usdE18).toBe(2_500_000_000_000_000_000n)
  })
})

describe.skipIf(!existsSync(recordings))('recorded answers', () => {
  it('of the listing, keyed by id', () => {
    const [bat] = parseCoins(record('cmc-v2-quotes-latest.real.json')) ?? []
    expect(quoteFromCoin(bat as ListedCoin, nowSeconds)).toMatchObject({
      usdE18: 1_198_154_695_580_779_600n,
      volume24hUsdE18: 292_305_456_148_977_400_000_000_000n,
      observedAtSeconds: 1_640_769_789,
      fdmcUsdE18: 1_797_232_043_370_000_000_000_000_000n,
    })
  })

  it('of the listing, keyed by symbol', () => {
    const [pepe] = parseCoins(record('cmc-quotes-latest-pepe-2025.real.json')) ?? []
    expect(pepe?.slug).toBe('pepe')
    expect(quoteFromCoin(pepe as ListedCoin, nowSeconds)?.usdE18).toBe(9_254_969_813_208n)
  })

  it('of two pairs, whose addresses are none of a chain like ours', () => {
    const pairs = parsePairs(record('cmc-v4-dex-pair.real.json')) ?? []
    expect(pairs.map(({ contract_address }) => contract_address)).toEqual(['1943', '1282'])
    const base = pairs[0]?.base_asset_contract_address.toLowerCase() as `0x${string}`
    const quote = quoteFromPair(pairs[0] as DexPair, base, nowSeconds)
    expect(quote?.usdE18).toBe(83_697_612_919_512_700_000_000n)
    // +1.47362063 %: 83,697.61 / 1.0147362063 = 82,482.139.
    expect((quote?.dayAgoUsdE18 ?? 0n) / 10n ** 15n).toBe(82_482_139n)
  })
})
