import { expect, test } from 'vitest'
import { toDisplayText } from './displayText.ts'

test('an ordinary name is left alone', () => {
  expect(toDisplayText('Lanternfish', '0x12')).toBe('Lanternfish')
  expect(toDisplayText('Σιγά 波浪 🐟', '0x12')).toBe('Σιγά 波浪 🐟')
})

test('direction marks and control characters are taken out', () => {
  expect(toDisplayText('USD\u202Egnp.C', '0x12')).toBe('USDgnp.C')
  expect(toDisplayText('a\u200B\u2066b\u0007', '0x12')).toBe('ab')
})

test('line breaks and runs of spaces become one space', () => {
  expect(toDisplayText('  two\n\n lines ', '0x12')).toBe('two lines')
})

test('a name without a visible character shows its fallback', () => {
  expect(toDisplayText('\u200B\u200B ', '0x1234…abcd')).toBe('0x1234…abcd')
  for (const blank of ['\u2800\u2800', '\u3164', '\u115F\u1160', '\uFFA0', '\uFE0F', '\u034F \uFE0F'])
    expect(toDisplayText(blank, '0x1234…abcd')).toBe('0x1234…abcd')
  expect(toDisplayText('Blank\u3164 letters\u2800', '0x12')).toBe('Blank letters')
  expect(toDisplayText('Heart ❤\uFE0F', '0x12')).toBe('Heart ❤\uFE0F')
})

test('a very long name is cut with an ellipsis', () => {
  expect(toDisplayText('a'.repeat(10_000), '0x12', 8)).toBe('aaaaaaa…')
})

test('letters keep at most three marks', () => {
  expect(toDisplayText(`Z${'\u0301'.repeat(40)}`, '0x12')).toBe('Z\u0301\u0301\u0301')
})
