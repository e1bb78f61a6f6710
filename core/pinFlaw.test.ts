import { expect, test } from 'vitest'
import { describePinFlaw, findPinFlaw } from './pinFlaw.ts'

test.each<[string, string, string]>([
  ['1234', 'its digits are next to each other or form a pattern', 'somebody'],
  ['4321', 'its digits are next to each other or form a pattern', 'somebody'],
  ['1324', 'its digits are next to each other or form a pattern', 'somebody'],
  ['2486', 'its digits are next to each other or form a pattern', 'somebody'],
  ['7777', 'it has only one or two different digits', 'somebody'],
  ['6969', 'it has only one or two different digits', 'somebody'],
  ['0007', 'it has only one or two different digits', 'somebody'],
  ['1984', 'it is a year', 'somebody'],
  ['2029', 'it is a year', 'somebody'],
  ['0412', 'it is a date', 'somebody'],
  ['3105', 'it is a date', 'somebody'],
  ['2580', 'many people choose it', 'somebody'],
  ['5683', 'many people choose it', 'somebody'],
  ['8068', 'it is in your username', 'moss8068'],
  ['1987', 'it is in your username', 'anna.19_87'],
])('%s is refused: %s', (pin, reason, username) => {
  const flaw = findPinFlaw(pin, username)
  expect(flaw && describePinFlaw(flaw)).toBe(`PIN is easy to guess: ${reason}. Choose another one`)
})

test.each(['8068', '4711', '9024', '7394', '3205', '1368', '2030', '1899'])('%s is not refused', (pin) => {
  expect(findPinFlaw(pin, 'moss806')).toBeUndefined()
})

test('8,257 of the 10,000 PINs stay possible', () => {
  const pins = Array.from({ length: 10_000 }, (_, pin) => String(pin).padStart(4, '0'))
  expect(pins.filter((pin) => findPinFlaw(pin, '') === undefined)).toHaveLength(8_257)
})
