import { expect, it } from 'vitest'
import { toLiquidityLock } from './liquidityLock.ts'

const until = 1_930_089_600

it('liquidity is locked until the moment that the list names, and unlocked from then on', () => {
  expect(toLiquidityLock('2031-03-01T00:00:00Z', until - 1)).toEqual({ kind: 'locked', untilSeconds: until })
  expect(toLiquidityLock('2031-03-01T00:00:00Z', until)).toEqual({ kind: 'unlocked', untilSeconds: until })
  // A day without a time begins in UTC, wherever the server is.
  expect(toLiquidityLock('2031-03-01', 0)).toEqual({ kind: 'locked', untilSeconds: until })
})

it.each([undefined, '', 'soon', '2031-13-01', 'Infinity'])('%s is no lock', (text) => {
  expect(toLiquidityLock(text, 0)).toEqual({ kind: 'none' })
})
