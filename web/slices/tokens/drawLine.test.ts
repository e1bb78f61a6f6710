import { expect, test } from 'vitest'
import { drawLine } from './drawLine.ts'

const box = { width: 90, height: 24 }

test('a line runs from edge to edge, the highest value at the top', () => {
  expect(drawLine([1, 3, 2], box)).toBe('M0.0 22.0L45.0 2.0L90.0 12.0')
})

test('a price that never moved is a line in the middle', () => {
  expect(drawLine([5, 5], box)).toBe('M0.0 12.0L90.0 12.0')
})
