import { expect, test } from 'vitest'
import { isEasyPin } from './isEasyPin.ts'

test.each(['1234', '4321', '0123', '0000', '7777', '1212', '6969', '1984', '2007', '2580'])('%s is easy to guess', (pin) => {
  expect(isEasyPin(pin, 'somebody')).toBe(true)
})

test.each(['8068', '1324', '9012', '7394', '1123'])('%s is not', (pin) => {
  expect(isEasyPin(pin, 'somebody')).toBe(false)
})

test('digits of the name are easy to guess', () => {
  expect(isEasyPin('8068', 'moss8068')).toBe(true)
  expect(isEasyPin('8068', 'moss806')).toBe(false)
})
