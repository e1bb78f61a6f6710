import { expect, test } from 'vitest'
import { describePriceAge } from './describePrice.ts'
import { testToken } from './testToken.ts'
import { toLastKnown } from './toLastKnown.ts'

test('a fresh price has an age once no newer one comes', () => {
  const token = { ...testToken, priceStatus: 'priced', priceAsOf: 1_000 } as const
  expect(describePriceAge(token, 1_042)).toBeUndefined()
  expect(describePriceAge(toLastKnown(token), 1_042)).toBe('42s old')
})

test('a price that there is not does not become an old one', () => {
  expect(toLastKnown({ ...testToken, priceStatus: 'unpriced' }).priceStatus).toBe('unpriced')
})
