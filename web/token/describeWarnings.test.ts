import type { WireWarning } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { listWarnings, nameWarnings } from './describeWarnings.ts'
import { testToken } from './testToken.ts'

const lookalike: WireWarning = { code: 'lookalike', text: 'Its symbol is the symbol of \u202eBasalt' }
const tax: WireWarning = { code: 'sell-tax', text: 'Of 1,000 sold 950 arrived' }

test('a row names what is wrong in a few words, each once', () => {
  expect(nameWarnings(testToken)).toBeUndefined()
  expect(nameWarnings({ ...testToken, warnings: [lookalike] })).toBe('Warning: looks like a verified token')
  expect(nameWarnings({ ...testToken, warnings: [lookalike, tax, tax] })).toBe(
    'Warning: looks like a verified token, taxed when traded',
  )
})

test('a code that this page does not know is still a warning', () => {
  const warnings = [{ code: 'eclipse', text: 'Dark' }] as unknown as WireWarning[]
  expect(nameWarnings({ ...testToken, warnings })).toBe('Warning: see the details')
})

test('the details have the sentences, made harmless and of bounded length', () => {
  expect(listWarnings(testToken)).toEqual([])
  expect(listWarnings({ ...testToken, warnings: [lookalike, tax, tax] })).toEqual([
    'Its symbol is the symbol of Basalt',
    'Of 1,000 sold 950 arrived',
  ])
  expect(listWarnings({ ...testToken, warnings: [{ code: 'off-peg', text: 'x'.repeat(900) }] })[0]).toHaveLength(400)
})
