import { expect, it } from 'vitest'
import { WrongOption } from '../tools/wrongOption.ts'
import { parseCount } from './parseCount.ts'

const parse = (text: string) => parseCount({ option: 'rounds', text, min: 2, max: 100 })

it('reads whole numbers within the limits, the limits included', () => {
  expect(parse('2')).toBe(2)
  expect(parse('100')).toBe(100)
  expect(parse('1e1')).toBe(10)
  expect(parseCount({ option: 'first', text: '0', min: 0, max: 5 })).toBe(0)
  expect(parseCount({ option: 'first', text: '1', max: 5 })).toBe(1)
})

it('names the option, what it found and what it expects', () => {
  expect(() => parse('1')).toThrow(new WrongOption('--rounds: found 1, expected a whole number from 2 to 100'))
  for (const text of ['101', '2.5', '-3', 'ten', '', ' ', 'NaN', 'Infinity']) expect(() => parse(text)).toThrow(WrongOption)
  expect(() => parseCount({ option: 'first', text: '', min: 0, max: 5 })).toThrow(WrongOption)
  expect(() => parseCount({ option: 'first', text: '0', max: 5 })).toThrow('expected a whole number from 1 to 5')
})
