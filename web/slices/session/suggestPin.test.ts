import { findPinFlaw } from '@chainboard/core'
import { expect, test, vi } from 'vitest'
import { suggestPin } from './suggestPin.ts'

test('suggests no easy PIN, and none that is in the name', () => {
  // 1234 is easy, 8068 is in the name.
  const drawn = [1_234, 18_068, 39_024]
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => Object.assign(array, [drawn.shift()]))
  expect(suggestPin('moss8068')).toBe('9024')
  vi.restoreAllMocks()
  for (let i = 0; i < 200; i += 1) expect(findPinFlaw(suggestPin('ann'), 'ann')).toBeUndefined()
})
