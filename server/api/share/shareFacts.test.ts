import { describe, expect, it } from 'vitest'
import { listed } from '../../testing/market.ts'
import { nowSeconds, toMarket } from '../../testing/priceApi.ts'
import { toShareFacts } from './shareFacts.ts'

const site = { siteName: 'Testboard', chainName: 'Test', domain: 'board.example', accent: '#ff8a4c' }
const entry = listed.find(({ symbol }) => symbol === 'ALPHA')
if (!entry) throw new TypeError('no token')
const e18 = 10n ** 18n
const show = (changes: object = {}, market: object = {}, samples: { atSeconds: number; value: bigint }[] = []) => {
  const made = toMarket({ ...entry, ...changes }, 1, { usd: 0.7367 })
  return toShareFacts(site, { market: { ...made, ...market }, samples, nowSeconds })
}

describe('what a picture shows', () => {
  it('is the price as the table has it, and the minute that it is of', () => {
    expect(show({}, { change24hPercent: -0.8, change7dPercent: 4.1 })).toMatchObject({
      ...site,
      name: 'Alpha',
      symbol: 'ALPHA',
      price: '$0.7367',
      change24h: { text: '-0.80%', way: 'down' },
      change7d: { text: '+4.10%', way: 'up' },
      isStale: false,
      time: 'Nov 14, 2023, 22:13 UTC',
    })
    expect(show({}, { change24hPercent: 0.001, change7dPercent: 123_456 })).toMatchObject({
      change24h: { text: '0.00%', way: 'none' },
      change7d: { text: '> +9,999%', way: 'up' },
    })
  })

  it('is why there is no price, without change and line', () => {
    const unpriced = { quote: undefined, reasons: ['No pool is deep enough'] }
    expect(show({}, unpriced, [{ atSeconds: 1, value: e18 }])).toMatchObject({
      price: undefined,
      reason: 'No pool is deep enough',
      change24h: undefined,
      points: [],
      time: 'Nov 14, 2023, 22:13 UTC',
    })
  })

  it('ends the line at the price above it', () => {
    const samples = [nowSeconds - 7_200, nowSeconds - 3_600, nowSeconds + 10].map((atSeconds) => ({ atSeconds, value: e18 }))
    expect(show({}, {}, samples).points).toEqual([
      [nowSeconds - 7_200, 1],
      [nowSeconds - 3_600, 1],
      [1_699_999_980, 0.7367],
    ])
  })

  it('is the same within a minute in which nothing moved', () => {
    const samples = [{ atSeconds: nowSeconds - 3_600, value: e18 }]
    expect(JSON.stringify(show({}, {}, samples))).toBe(JSON.stringify(show({}, {}, samples)))
  })

  it('names a token by harmless text, or by its address', () => {
    const { name, symbol } = show({ name: '\u202Eevil\u0000\n name', symbol: '\u200B' })
    expect(name).toBe('evil name')
    expect(symbol).toMatch(/^0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}$/)
    expect(show({ name: 'n'.repeat(200) }).name).toHaveLength(64)
  })
})
