import { expect, it } from 'vitest'
import { weighPrice } from './weighPrice.ts'

const e18 = 10n ** 18n
/** Nine times the depth of half trust. */
const deep = { depthUsdE18: 4_500n * e18, depthFloorUsdE18: 50n * e18, quietSeconds: 60, isEstablished: true }

it('a price is trusted by its depth, its last trade and the age of its pools', () => {
  expect(weighPrice(deep)).toEqual({ confidence: 0.9, reasons: [] })
  expect(weighPrice({ ...deep, isEstablished: false })).toEqual({
    confidence: 0.45,
    reasons: ['A pool on the way has traded for less than an hour'],
  })
  expect(weighPrice({ ...deep, quietSeconds: 31 * 86_400 })).toEqual({ confidence: 0.45, reasons: ['Last trade 31 d before'] })
  expect(weighPrice({ ...deep, quietSeconds: undefined, isEstablished: false })).toEqual({
    confidence: 0.23,
    reasons: ['A pool on the way has never traded'],
  })
  expect(weighPrice({ ...deep, depthUsdE18: undefined })).toEqual({ confidence: 1, reasons: [] })
})
