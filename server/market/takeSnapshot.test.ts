import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Address } from '@chainboard/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alpha, alphaPool, listed, wrapped } from '../testing/market.ts'
import type { KeptSource } from './pollSource.ts'
import type { DisplayPool, Quote, SourceAnswer, SourceName } from './source.ts'
import { mergeSnapshot, priceStatusOf, type Taken } from './takeSnapshot.ts'
import { toTokenList } from './tokenList.ts'

const nowSeconds = 1_800_000_000
const token = alpha as Address
const list = toTokenList(
  listed.filter(({ address }) => address === alpha),
  [],
)
const displayPool = { pool: alphaPool, token0: alpha, token1: wrapped } as DisplayPool
const quote = (source: SourceName, rest: Partial<Quote> = {}) =>
  ({
    source,
    usdE18: 2n * 10n ** 18n,
    observedAtSeconds: nowSeconds,
    reasons: [],
    volume24hUsdE18: 0n,
    ...rest,
  }) as unknown as Quote
const keep = (name: SourceName, answer: SourceAnswer, rest: Partial<KeptSource> = {}): KeptSource => ({
  name,
  reading: { atBlock: { number: 7, hash: '0x00', timestampSeconds: nowSeconds }, answers: new Map([[token, answer]]) },
  readAtMs: 0,
  intervalMs: 0,
  failingSinceMs: undefined,
  failure: undefined,
  ...rest,
})

describe('the market merged from several sources', () => {
  const index = keep('index', { kind: 'unpriced', reasons: ['Too thin'], displayPool })
  const withoutBlock = { reading: { atBlock: undefined, answers: new Map() } }

  it("has the index's block and pools, no matter who sets the price, and the figures of who does", () => {
    const figures = { fdmcUsdE18: 9n * 10n ** 18n, marketCapUsdE18: undefined, dayAgoUsdE18: 10n ** 18n }
    const listedSource = keep('cmcListed', { kind: 'quoted', quote: quote('cmcListed', figures), displayPool: undefined })
    const { atBlock, byToken } = mergeSnapshot([listedSource, index], list, { nowSeconds, chain: index })
    expect(atBlock?.number).toBe(7)
    expect(byToken.get(token)).toMatchObject({
      quote: { source: 'cmcListed' },
      displayPool: { pool: alphaPool },
      change24hPercent: 100,
      fdmcUsdE18: 9n * 10n ** 18n,
      // The list says a million tokens.
      marketCapUsdE18: 2_000_000n * 10n ** 18n,
    })
  })

  it('keeps none of the markets before it in memory', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const take = (before?: Taken): Taken => ({
      snapshot: mergeSnapshot([index], list, { nowSeconds, chain: index }, before),
      kept: [index],
      chain: index,
    })
    const first = new WeakRef(take().snapshot)
    let newest = take({ snapshot: first.deref() as Taken['snapshot'], kept: [index], chain: index })
    newest = take(newest)
    // A reference that was looked at is held until the end of its turn.
    await new Promise((turn) => setImmediate(turn))
    collect()
    expect(first.deref()).toBeUndefined()
    expect(newest.snapshot.byToken.get(token)).toBeDefined()
  })

  it('is there before any source has answered', () => {
    const { atBlock, markets } = mergeSnapshot([{ ...index, ...withoutBlock, reading: undefined }], list, {
      nowSeconds,
      chain: undefined,
    })
    expect(atBlock).toBeUndefined()
    expect(markets).toMatchObject([{ quote: undefined, reasons: ['No response yet from the index'], rank: 1 }])
  })
})

it('a price turns stale by the clock alone, later where its source is asked more seldom', () => {
  const statusAfter = (seconds: number, intervalMs: number) => {
    const kept = keep('cmcListed', { kind: 'quoted', quote: quote('cmcListed'), displayPool: undefined }, { intervalMs })
    const [market] = mergeSnapshot([kept], list, { nowSeconds, chain: undefined, staleAfterSeconds: 60 }).markets
    return market && priceStatusOf(market, { nowSeconds: nowSeconds + seconds })
  }
  expect([statusAfter(60, 0), statusAfter(61, 0)]).toEqual(['priced', 'stale'])
  expect([statusAfter(448, 224_000), statusAfter(449, 224_000)]).toEqual(['priced', 'stale'])
})

describe('a market made from the last one', () => {
  const two = toTokenList(
    listed.filter(({ address }) => [alpha, wrapped].includes(address as Address)),
    [],
  )
  const [first, second] = two.tokens.map(({ id }) => id) as [Address, Address]
  const untraded: SourceAnswer = { kind: 'unpriced', reasons: ['No pool'], displayPool: undefined }
  const priced: SourceAnswer = { kind: 'quoted', quote: quote('index'), displayPool: undefined }
  const read = (one: SourceAnswer, other: SourceAnswer) =>
    keep('index', one, {
      reading: {
        atBlock: undefined,
        answers: new Map([
          [first, one],
          [second, other],
        ]),
      },
    })
  const merge = (kept: KeptSource, before?: Taken) => mergeSnapshot([kept], two, { nowSeconds, chain: kept }, before)
  const taken = (kept: KeptSource, before?: Taken): Taken => ({ snapshot: merge(kept, before), kept: [kept], chain: kept })

  it('takes over what has no price and the same answer again, and nothing else', () => {
    const before = taken(read(untraded, priced))
    const { markets } = merge(read(untraded, priced), before)
    expect(markets[0]).toBe(before.snapshot.markets[0])
    expect(markets[1]).not.toBe(before.snapshot.markets[1])
    expect(merge(read({ ...untraded, reasons: ['Too thin'] }, priced), before).markets[0]?.reasons).toEqual(['Too thin'])
  })

  it('tells of a warning that comes and of one that goes, also about a token that is otherwise the same', () => {
    const kept = read(untraded, priced)
    const warned = (text: string | undefined, before?: Taken) => {
      const warn = ({ id }: { id: Address }) => (id === first && text ? [{ code: 'supply-changed', text } as const] : [])
      const snapshot = mergeSnapshot(
        [kept],
        two,
        { nowSeconds, chain: kept, learned: { warn, findSupply: () => undefined } },
        before,
      )
      return { snapshot, kept: [kept], chain: kept }
    }
    let before = warned(undefined)
    const textsOf = ({ snapshot }: Taken) => snapshot.markets.map(({ warnings }) => warnings.map(({ text }) => text))
    for (const text of ['doubled', 'tripled', undefined]) {
      before = warned(text, before)
      expect(textsOf(before)).toEqual([text ? [text] : [], []])
    }
  })

  it('values the supply that goes with the warnings', () => {
    const kept = read({ ...priced, supply: 1_000 }, { ...priced, supply: 9 })
    const learned = { warn: () => [], findSupply: (id: Address) => (id === first ? 50 : undefined) }
    const unsaid = { ...two, tokens: two.tokens.map(({ supply: _, ...token }) => token) }
    const { markets } = mergeSnapshot([kept], unsaid, { nowSeconds, chain: kept, learned })
    expect(markets.map(({ supply }) => supply)).toEqual([50, 9])
    expect(markets[0]?.fdmcUsdE18).toBe((markets[1]?.quote?.usdE18 ?? 0n) * 50n)
  })

  it('is what it is when it is made again, ranks and all', () => {
    const answer = fc.constantFrom(untraded, { ...untraded, reasons: ['Other'] }, priced, { ...untraded, supply: 5 })
    fc.assert(
      fc.property(fc.array(fc.tuple(answer, answer), { minLength: 1, maxLength: 6 }), (readings) => {
        let before: Taken | undefined
        for (const [one, other] of readings) {
          const kept = read(one, other)
          before = taken(kept, before)
          expect(before.snapshot.markets).toEqual(merge(kept).markets)
        }
      }),
    )
  })

  it('finds each token by its address, and none that is not listed', () => {
    const { byToken } = merge(read(untraded, priced))
    expect(byToken.get(second)?.token.id).toBe(second)
    expect(byToken.get('0x00')).toBeUndefined()
  })
})
