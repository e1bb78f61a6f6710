import { expect, it } from 'vitest'
import { errorPercent, intervalContains, isMarked, type TokenSample } from './sample.ts'

const token: TokenSample = {
  ...{ symbol: 'BSLT', honestUsd: 2, servedUsd: 2, apiUsd: 2, status: 'priced', reasons: [], lowUsd: 1.9, highUsd: 2.1 },
  ...{ confidence: 0.9, isShort: false, volumeUsd: 0, organicUsd: undefined, costToMoveUsd: undefined },
}

it('takes the larger error of the page and the price API, up or down', () => {
  expect(errorPercent({ ...token, servedUsd: 2.5, apiUsd: 2.2 })).toBe(25)
  expect(errorPercent({ ...token, servedUsd: 2, apiUsd: 1 })).toBe(50)
  expect(errorPercent(token)).toBe(0)
})

it('counts no error where no price is served, and an endless one for what cannot be sold', () => {
  expect(errorPercent({ ...token, status: 'unpriced', servedUsd: 0, honestUsd: undefined })).toBe(0)
  expect(errorPercent({ ...token, honestUsd: undefined })).toBe(Number.POSITIVE_INFINITY)
})

it('knows a warning from none', () => {
  expect(isMarked(token)).toBe(false)
  expect(isMarked({ ...token, status: 'stale' })).toBe(true)
  expect(isMarked({ ...token, reasons: ['Pools disagree'] })).toBe(true)
})

it('asks the interval for the honest price, its ends included', () => {
  expect(intervalContains({ ...token, honestUsd: 1.9 })).toBe(true)
  expect(intervalContains({ ...token, honestUsd: 2.1 })).toBe(true)
  expect(intervalContains({ ...token, honestUsd: 2.11 })).toBe(false)
  // The last digit of a double is no error of the server.
  expect(intervalContains({ ...token, lowUsd: 1.9000000000000004, honestUsd: 1.9 })).toBe(true)
  expect(intervalContains({ ...token, lowUsd: undefined })).toBeUndefined()
})

it('takes what cannot be sold for worthless', () => {
  expect(intervalContains({ ...token, honestUsd: undefined })).toBe(false)
  expect(intervalContains({ ...token, honestUsd: undefined, lowUsd: 0 })).toBe(true)
})
