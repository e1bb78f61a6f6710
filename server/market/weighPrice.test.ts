import { expect, it } from 'vitest'
import { weighPrice } from './weighPrice.ts'

const e18 = 10n ** 18n
const dollar = { lowE18: e18, highE18: e18 }
/** Nine times the depth of half trust, at one dollar wherever one looks. */
const deep = {
  ...{
    usdE18: e18,
    lastUsdE18: e18,
    pools: dollar,
    poolSpread: 0,
    recent: dollar,
    recentTrust: undefined,
    lastingTrust: undefined,
    overruled: undefined,
  },
  ...{ depthUsdE18: 4_500n * e18, depthFloorUsdE18: 50n * e18, quietSeconds: 60 },
  ...({ tier: 'established', unnamedQuote: undefined } as const),
}

it('a price is trusted by its depth, its last trade and the age of its pools', () => {
  expect(weighPrice(deep)).toEqual({ confidence: 0.9, reasons: [] })
  expect(weighPrice({ ...deep, tier: 'young' })).toEqual({
    confidence: 0.45,
    reasons: ['A pool on the route has traded for less than an hour'],
  })
  expect(weighPrice({ ...deep, quietSeconds: 31 * 86_400 })).toEqual({ confidence: 0.45, reasons: ['Last trade 31 d ago'] })
  expect(weighPrice({ ...deep, quietSeconds: undefined, tier: 'young' })).toEqual({
    confidence: 0.23,
    reasons: ['A pool on the route has never traded'],
  })
  expect(weighPrice({ ...deep, tier: 'unnamed', unnamedQuote: 'OWN' })).toEqual({
    confidence: 0.45,
    reasons: ['Priced in OWN, which is not a quote token of the network'],
  })
  expect(weighPrice({ ...deep, depthUsdE18: undefined })).toEqual({ confidence: 1, reasons: [] })
})

it('a stable coin is trusted less the further other ones say it is off, and says so', () => {
  const pools = { lowE18: (e18 * 90n) / 100n, highE18: e18 }
  expect(weighPrice({ ...deep, depthUsdE18: undefined, pools, recent: pools })).toEqual({
    confidence: 0.5,
    reasons: ['Pools price it against other stable coins at $0.9000 to $1.00'],
  })
})

it('a price is trusted less the further others lie from it, and says which they are', () => {
  const to = (cents: bigint) => ({ lowE18: e18, highE18: (e18 * cents) / 100n })
  expect(weighPrice({ ...deep, pools: to(101n), poolSpread: 0.01 })).toEqual({ confidence: 0.86, reasons: [] })
  expect(weighPrice({ ...deep, pools: to(110n), poolSpread: 0.1 })).toEqual({
    confidence: 0.45,
    reasons: ['Prices in its pools, or in those of its quote token, range from $1.00 to $1.10'],
  })
  expect(weighPrice({ ...deep, pools: to(150n), poolSpread: 0.5, lastUsdE18: (e18 * 3n) / 2n })).toEqual({
    confidence: 0.09,
    reasons: ['Last traded at $1.50, a price that has not lasted long enough to count'],
  })
  expect(weighPrice({ ...deep, recent: { lowE18: (e18 * 9n) / 10n, highE18: e18 } })).toEqual({
    confidence: 0.45,
    reasons: ['Was $0.9000 to $1.00 in the last two hours'],
  })
})

it('a price is never trusted more than at the least in the last two hours', () => {
  expect(weighPrice({ ...deep, recentTrust: 95 })).toEqual({ confidence: 0.9, reasons: [] })
  expect(weighPrice({ ...deep, recentTrust: 85 })).toEqual({ confidence: 0.85, reasons: [] })
  expect(weighPrice({ ...deep, recentTrust: 45 })).toEqual({
    confidence: 0.45,
    reasons: ['Confidence was 0.45 in the last two hours'],
  })
})

it('a price is never trusted more than for half of the last day', () => {
  expect(weighPrice({ ...deep, recentTrust: 90, lastingTrust: 33 })).toEqual({
    confidence: 0.33,
    reasons: ['Confidence was 0.33 for half of the last day'],
  })
  expect(weighPrice({ ...deep, recentTrust: 20, lastingTrust: 33 })).toEqual({
    confidence: 0.2,
    reasons: ['Confidence was 0.20 in the last two hours'],
  })
  expect(weighPrice({ ...deep, tier: 'young', lastingTrust: 90 }).confidence).toBe(0.45)
})

it('says what deeper pools say beside a price that they do not make', () => {
  const young = { lowE18: e18 / 2n, highE18: e18, depthUsdE18: 90_000n * e18 }
  expect(weighPrice({ ...deep, pools: { lowE18: e18 / 2n, highE18: e18 }, poolSpread: 0.5, overruled: young })).toEqual({
    confidence: 0.09,
    reasons: ['Pools that do not count have more depth ($90.00K) than those that do, and price it at $0.5000 to $1.00'],
  })
  const alike = { ...young, highE18: e18 / 2n + 1n }
  const { reasons } = weighPrice({ ...deep, pools: { lowE18: e18 / 2n, highE18: e18 }, poolSpread: 0.5, overruled: alike })
  expect(reasons).toEqual(['Pools that do not count have more depth ($90.00K) than those that do, and price it at $0.5000'])
})

it('says nothing of a price that moved by 4 % in two hours, and never the same price twice', () => {
  expect(weighPrice({ ...deep, recent: { lowE18: (e18 * 96n) / 100n, highE18: e18 } })).toEqual({ confidence: 0.72, reasons: [] })
  const at100k = {
    usdE18: 1_234_567n * e18,
    lastUsdE18: undefined,
    recent: { lowE18: 1_234_567n * e18, highE18: 1_234_567n * e18 },
  }
  const near = { lowE18: 1_199_000n * e18, highE18: 1_234_567n * e18 }
  expect(weighPrice({ ...deep, ...at100k, pools: near, poolSpread: 0.029 }).reasons[0]).toMatch(/range from (\S+) to (?!\1$)/)
})

it('a price of less than 10^-18 dollars hides no spread', () => {
  const zero = { lowE18: 0n, highE18: 0n }
  expect(weighPrice({ ...deep, usdE18: 0n, lastUsdE18: 0n, pools: zero, recent: zero, poolSpread: 0.1 }).confidence).toBe(0.45)
})
