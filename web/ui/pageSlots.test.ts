import { expect, test } from 'vitest'
import { toPageSlots } from './pageSlots.ts'

test('few pages are all shown', () => {
  expect(toPageSlots(1, 1)).toEqual([1])
  expect(toPageSlots(3, 7)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('many pages show the ends and the neighbours', () => {
  expect(toPageSlots(1, 9)).toEqual([1, 2, 3, 4, 5, 'gap', 9])
  expect(toPageSlots(5, 9)).toEqual([1, 'gap', 4, 5, 6, 'gap', 9])
  expect(toPageSlots(6, 9)).toEqual([1, 'gap', 5, 6, 7, 8, 9])
})

test('the number of slots does not depend on the page, so that buttons do not move under the pointer', () => {
  for (let page = 1; page <= 40; page += 1) expect(toPageSlots(page, 40)).toHaveLength(7)
})
