import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { toHourDollars, toHourPrices } from './hourFigures.ts'
import { toSwapSpan } from './swapSpan.ts'

const q96 = 2n ** 96n
const swapAt = (sqrtPriceX96: bigint) => ({ kind: 'swap', sqrtPriceX96 })
const mint = { kind: 'mint' }

describe('the prices of an hour', () => {
  it('are those after each event: the hour of a first swap opens at its price', () => {
    expect(toHourPrices([swapAt(30n), swapAt(10n), swapAt(50n), swapAt(20n)], 99n)).toEqual({
      open: 30n,
      high: 50n,
      low: 10n,
      close: 20n,
    })
  })

  it('begin at the price before where the hour begins with a mint', () => {
    expect(toHourPrices([mint, swapAt(30n)], 99n)).toEqual({ open: 99n, high: 99n, low: 30n, close: 30n })
    expect(toHourPrices([mint], 99n)).toEqual({ open: 99n, high: 99n, low: 99n, close: 99n })
  })

  it('begin with the pool itself, and a mint says no price even where it has one', () => {
    expect(
      toHourPrices(
        [
          { kind: 'initialize', sqrtPriceX96: 7n },
          { kind: 'mint', sqrtPriceX96: 1_000n },
        ],
        0n,
      ),
    ).toEqual({
      open: 7n,
      high: 7n,
      low: 7n,
      close: 7n,
    })
  })

  it('are none of an hour in which nothing happened', () => {
    expect(toHourPrices([], 99n)).toBeUndefined()
  })
})

describe('the same in dollars', () => {
  const hour = { open: 2n * q96, high: 4n * q96, low: q96, close: 2n * q96 }

  it('stand to what the token was worth at the end as the pool’s prices do', () => {
    // sqrt prices 2, 4, 1, 2 are prices 4, 16, 1, 4 of token0; it ends at 8 dollars.
    expect(toHourDollars({ baseIsToken0: true, decimals0: 18, decimals1: 18 }, hour, 8n * 10n ** 18n)).toEqual({
      open: 8n * 10n ** 18n,
      high: 32n * 10n ** 18n,
      low: 2n * 10n ** 18n,
      close: 8n * 10n ** 18n,
    })
  })

  it('of a token1 are turned round: the pool’s highest price is its lowest', () => {
    expect(toHourDollars({ baseIsToken0: false, decimals0: 6, decimals1: 18 }, hour, 8n * 10n ** 18n)).toEqual({
      open: 8n * 10n ** 18n,
      high: 32n * 10n ** 18n,
      low: 2n * 10n ** 18n,
      close: 8n * 10n ** 18n,
    })
  })
})

describe('swaps of a span', () => {
  const swaps = [
    { blockNumber: 7, logIndex: 0, amount0: -5n, amount1: 12n, sqrtPriceX96: 99n },
    { blockNumber: 7, logIndex: 3, amount0: 8n, amount1: -1n, sqrtPriceX96: 98n },
  ]

  it('are counted with what went either way, and told apart by a checksum of each', () => {
    const checksum = createHash('sha256').update('7:0:-5:12:99\n7:3:8:-1:98\n').digest('hex')
    expect(toSwapSpan(swaps)).toEqual({ swaps: 2, volume0: 13n, volume1: 13n, checksum })
  })

  it('have another checksum in another order, and with a sign turned', () => {
    const { checksum } = toSwapSpan(swaps)
    expect(toSwapSpan(swaps.toReversed()).checksum).not.toBe(checksum)
    const [first, second] = swaps
    if (!first || !second) throw new RangeError('no swaps')
    const turned = toSwapSpan([{ ...first, amount0: 5n }, second])
    expect([turned.volume0, turned.checksum === checksum]).toEqual([13n, false])
  })

  it('may be none', () => {
    const empty = createHash('sha256').digest('hex')
    expect(toSwapSpan([])).toEqual({ swaps: 0, volume0: 0n, volume1: 0n, checksum: empty })
  })
})
