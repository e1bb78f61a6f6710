import { describe, expect, it } from 'vitest'
import type { Sample, TokenSample } from './sample.ts'
import { judge } from './verdict.ts'

const honest: TokenSample = {
  symbol: 'BSLT',
  honestUsd: 0.5,
  servedUsd: 0.5,
  apiUsd: 0.5,
  status: 'priced',
  reasons: [],
  lowUsd: undefined,
  highUsd: undefined,
  confidence: 0.94,
  isShort: false,
  volumeUsd: 1_000,
  organicUsd: undefined,
  costToMoveUsd: undefined,
}

let block = 100
function at(seconds: number, token: Partial<TokenSample>, trending: string[] = []): Sample {
  block += 1
  return { block, seconds, tokens: [{ ...honest, ...token }], trending, costOfPlaceUsd: 0 }
}

function judgeOne(token: Partial<TokenSample>, before: Partial<TokenSample> = {}) {
  return judge({ targets: ['BSLT'], before: [at(0, before)], during: [at(2, token)], stored: [] })
}

describe('an attack fails', () => {
  it('when the price stays within 2 %', () => {
    expect(judgeOne({ servedUsd: 0.5099, apiUsd: 0.4901 }).failures).toEqual([])
  })

  it('when the token is marked and the interval holds the honest price', () => {
    const marked = { servedUsd: 0.75, reasons: ['Pools disagree'], lowUsd: 0.49, highUsd: 0.76 }
    expect(judgeOne(marked)).toMatchObject({ failures: [], interval: true, marks: ['Pools disagree'] })
  })

  it('when the interval ends with the honest price, whatever the last digit of a double', () => {
    const marked = { servedUsd: 2.01, apiUsd: 2.01, reasons: ['Pools disagree'], highUsd: 2.02 }
    const honestUsd = 1.953164931682815
    expect(judgeOne({ ...marked, honestUsd, lowUsd: 1.9531649316828152 }).failures).toEqual([])
    expect(judgeOne({ ...marked, honestUsd, lowUsd: 1.9531649317 }).failures).toEqual(['price of BSLT'])
  })

  it('when no price is served', () => {
    expect(judgeOne({ servedUsd: 0, apiUsd: 0, status: 'unpriced', confidence: 0 }).failures).toEqual([])
  })

  it('when what cannot be sold is marked', () => {
    expect(judgeOne({ honestUsd: undefined, reasons: ['Nobody has sold it'] }).failures).toEqual([])
  })
})

describe('an attack succeeds', () => {
  it('when what nobody but the attacker trades has organic volume', () => {
    const own = (organicUsd: number | undefined, countsNothing = true) =>
      judge({ targets: ['BSLT'], before: [at(0, {})], during: [at(2, { organicUsd })], stored: [], countsNothing }).failures
    expect(own(23_000)).toEqual(['organic volume of BSLT'])
    expect([own(0), own(undefined), own(23_000, false)]).toEqual([[], [], []])
  })

  it('when the page or the price API alone is off by more than 2 %', () => {
    expect(judgeOne({ servedUsd: 0.5101 }).failures).toEqual(['price of BSLT'])
    expect(judgeOne({ apiUsd: 0.4899 }).failures).toEqual(['price of BSLT'])
  })

  it('when the interval holds the honest price, but nothing is marked', () => {
    expect(judgeOne({ servedUsd: 0.75, lowUsd: 0.4, highUsd: 0.8 }).failures).toEqual(['price of BSLT'])
  })

  it('when the token is marked, but the interval misses the honest price, or there is none', () => {
    const reasons = ['Pools disagree']
    expect(judgeOne({ servedUsd: 0.75, reasons, lowUsd: 0.6, highUsd: 0.8 })).toMatchObject({
      failures: ['price of BSLT'],
      interval: false,
    })
    expect(judgeOne({ servedUsd: 0.75, reasons }).failures).toEqual(['price of BSLT'])
  })

  it('when what cannot be sold is priced and nothing says so', () => {
    expect(judgeOne({ honestUsd: undefined }).failures).toEqual(['price of BSLT'])
  })

  it('when what cannot be sold is marked with nothing but what was said before', () => {
    const reasons = ['Shallow: $480 within 2 % of the price']
    const later = { honestUsd: undefined, reasons: ['Shallow: $475 within 2 % of the price'] }
    expect(judgeOne(later, { reasons }).failures).toEqual(['price of BSLT'])
  })

  it('when what cannot be sold is marked too late, or not to the end', () => {
    const unsellable = { honestUsd: undefined }
    const marked = { ...unsellable, reasons: ['Nobody could sell it'] }
    const judgeMarked = (seconds: number) =>
      judge({
        targets: ['BSLT'],
        before: [at(0, {})],
        during: [at(10, unsellable), at(20, unsellable), at(seconds, marked)],
        stored: [],
      })
    expect(judgeMarked(190)).toMatchObject({ failures: [], unmarkedSeconds: 180 })
    expect(judgeMarked(191)).toMatchObject({ failures: ['price of BSLT'], unmarkedSeconds: 181 })
    const lapsed = [at(10, marked), at(20, unsellable)]
    expect(judge({ targets: ['BSLT'], before: [at(0, {})], during: lapsed, stored: [] }).failures).toEqual(['price of BSLT'])
  })

  it('when the target is trusted more than before, by one step', () => {
    expect(judgeOne({ confidence: 0.95 }).failures).toEqual(['confidence of BSLT rose'])
    expect(judgeOne({ confidence: 0.3 }).failures).toEqual([])
  })

  it('when the target is trusted more than at the same block without the attack', () => {
    const evidence = {
      ...{ targets: ['BSLT'], stored: [], before: [at(0, { confidence: 0.84 })] },
      during: [at(2, { confidence: 0.86 }), at(4, { confidence: 0.88 })],
    }
    const [first, second] = evidence.during
    const beside = (confidences: readonly number[]) =>
      [first, second].map((sample, i) => ({ ...at(0, { confidence: confidences[i] ?? 0 }), block: sample?.block ?? 0 }))
    expect(judge({ ...evidence, control: beside([0.86, 0.88]) }).failures).toEqual([])
    expect(judge({ ...evidence, control: beside([0.86, 0.87]) }).failures).toEqual(['confidence of BSLT rose'])
    // That it was trusted as much at another block says nothing.
    expect(judge({ ...evidence, control: beside([0.88, 0.86]) }).failures).toEqual(['confidence of BSLT rose'])
    expect(judge({ ...evidence, control: [] }).failures).toEqual(['confidence of BSLT rose'])
    const other = beside([0.86, 0.88]).map((sample) => ({ ...sample, block: sample.block + 1 }))
    expect(judge({ ...evidence, control: other }).failures).toEqual(['confidence of BSLT rose'])
  })

  it('when the target has a place for less than the last one was said to cost just before', () => {
    const said = (costOfPlaceUsd: number, trending: string[] = []) => ({ ...at(0, {}, trending), costOfPlaceUsd })
    const evidence = { targets: ['BSLT'], stored: [], before: [said(50)], during: [said(60), said(90, ['ORRY', 'BSLT'])] }
    const cheap = ['a place for BSLT cost less than was said']
    expect(judge({ ...evidence, costUsd: 59.9 })).toMatchObject({ failures: cheap, place: { during: 2, saidUsd: 60 } })
    expect(judge({ ...evidence, costUsd: 60 }).failures).toEqual([])
    // It had the place before, or has it at the same block without the attack.
    expect(judge({ ...evidence, before: [said(50, ['BSLT'])], costUsd: 0 }).failures).toEqual([])
    const without = (trending: string[]) => evidence.during.map((sample) => ({ ...sample, trending }))
    expect(judge({ ...evidence, costUsd: 0, control: without(['BSLT']) }).failures).toEqual([])
    expect(judge({ ...evidence, costUsd: 0, control: without(['ORRY']) }).failures).toEqual(cheap)
    // A free place costs nothing.
    expect(judge({ ...evidence, before: [said(0)], during: [said(0, ['BSLT'])], costUsd: 0 }).failures).toEqual([])
  })

  it('when the organic volume of a target falls by over a tenth, and that is what the attack wants', () => {
    const fall = (organicUsd: number, lowersOrganic = true) => {
      const before = [at(0, { organicUsd: 1 }), at(2, { organicUsd: 1_000 })]
      return judge({
        targets: ['BSLT'],
        stored: [],
        before,
        during: [at(4, { organicUsd: 1 }), at(6, { organicUsd })],
        lowersOrganic,
      })
    }
    expect(fall(900).failures).toEqual([])
    expect(fall(899).failures).toEqual(['organic volume of BSLT fell'])
    expect(fall(0, false).failures).toEqual([])
  })

  it('when dollars of the index are off by more than 2 %', () => {
    const stored = [
      { what: 'TVL all', storedUsd: 101_900, honestUsd: 100_000 },
      { what: 'volume24h BSLT', storedUsd: 102_100, honestUsd: 100_000 },
    ]
    const judged = judge({ targets: ['BSLT'], before: [at(0, {})], during: [at(2, {})], stored })
    expect(judged.dollars.what).toBe('volume24h BSLT')
    expect(judged.dollars.percent).toBeCloseTo(2.1, 9)
    expect(judged.failures).toEqual(['dollars: volume24h BSLT'])
  })
})

describe('the report of an attack', () => {
  it('does not count time back when a reorg replaced the block', () => {
    const during = [at(10, { servedUsd: 0.75 }), at(4, {}), at(20, {})]
    expect(judge({ targets: ['BSLT'], before: [at(8, {})], during, stored: [] }).wrongSeconds).toBe(0)
  })

  it('has the volume that the attack added, and how much of it counts as organic', () => {
    const before = [at(0, { volumeUsd: 900, organicUsd: 700 }), at(2, { volumeUsd: 1_000, organicUsd: 800 })]
    const during = [at(4, { volumeUsd: 91_000, organicUsd: 830 }), at(6, { volumeUsd: 90_000, organicUsd: 820 })]
    expect(judge({ targets: ['BSLT'], before, during, stored: [] }).added).toEqual({ volumeUsd: 90_000, organicUsd: 30 })
  })

  it('counts a wrong price until the next look at it', () => {
    const during = [at(10, { servedUsd: 0.75 }), at(13, { servedUsd: 0.75 }), at(15, {}), at(40, {})]
    expect(judge({ targets: ['BSLT'], before: [at(8, {})], during, stored: [] }).wrongSeconds).toBe(5)
  })

  it('has the best places in trending, before and since', () => {
    const before = [at(0, {}, ['WEMB', 'CNDR', 'HRBR', 'BSLT'])]
    const during = [at(2, {}, ['WEMB', 'BSLT']), at(4, {}, ['WEMB', 'CNDR', 'BSLT'])]
    expect(judge({ targets: ['BSLT'], before, during, stored: [] }).place).toEqual({ before: 4, during: 2, saidUsd: 0 })
  })

  it('leaves out marks that were there before, whatever their numbers', () => {
    const before = { reasons: ['Shallow: $480.10 within 2 % of the price'] }
    const during = { reasons: ['Shallow: $1.2K within 2 % of the price', 'Pools disagree'] }
    expect(judgeOne(during, before).marks).toEqual(['Pools disagree'])
  })

  it('names three tokens of many', () => {
    const tokens = ['A', 'B', 'C', 'D', 'E'].map((symbol) => ({ ...honest, symbol, servedUsd: 1 }))
    const during = [{ block: 1, seconds: 2, trending: [], costOfPlaceUsd: 0, tokens }]
    expect(judge({ targets: [], before: [], during, stored: [] }).failures).toEqual(['price of A, B, C and 2 more'])
  })

  it('calls dollars wrong that should be small and are not', () => {
    const stored = [{ what: 'hour of a quiet pool', storedUsd: 1_400, honestUsd: 3 }]
    expect(judge({ targets: [], before: [], during: [], stored }).failures).toEqual(['dollars: hour of a quiet pool'])
  })

  it("takes TVL that is said to be unproven in time as it is, but no other dollars, and nobody else's", () => {
    const stored = [
      { what: 'TVL BSLT/USDC 500', storedUsd: 20_000, honestUsd: 11_000 },
      { what: 'TVL BSLT/USDC 500', storedUsd: 30_000, honestUsd: 11_000 },
    ]
    const marked = (seconds: number) => [at(0, {}), at(seconds, { isShort: true })]
    const judgeDollars = (during: readonly Sample[], more: typeof stored = []) =>
      judge({ targets: [], before: [], during, stored: [...stored, ...more] }).failures
    expect(judgeDollars(marked(180))).toEqual([])
    expect(judgeDollars(marked(181))).toEqual(['dollars: TVL BSLT/USDC 500'])
    expect(judgeDollars([...marked(180), at(190, {})])).toEqual(['dollars: TVL BSLT/USDC 500'])
    const other = { what: 'TVL WEMB/USDC 500', storedUsd: 20_000, honestUsd: 11_000 }
    expect(judgeDollars(marked(10), [other])).toEqual(['dollars: TVL WEMB/USDC 500'])
    expect(judgeDollars(marked(10), [{ ...other, what: 'volume24h BSLT' }])).toEqual(['dollars: volume24h BSLT'])
  })

  it('does not call small dollars wrong', () => {
    const stored = [{ what: 'hour of a quiet pool', storedUsd: 77, honestUsd: 155 }]
    expect(judge({ targets: [], before: [], during: [], stored }).failures).toEqual([])
  })
})
