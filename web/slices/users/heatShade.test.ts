import { expect, test } from 'vitest'
import { toHeatShade } from './heatShade.ts'

test('nobody, one, up to three, more than three', () => {
  expect([0, 1, 2, 3, 4, 400].map(toHeatShade)).toEqual([0, 1, 2, 2, 3, 3])
})
