import { expect, test } from 'vitest'
import { toCsv } from './toCsv.ts'

test('a row is a line that ends with CR LF', () => {
  expect(
    toCsv([
      ['Wallet', 'Name'],
      ['0x1', ''],
    ]),
  ).toBe('Wallet,Name\r\n0x1,\r\n')
})

test('commas, quotes and line breaks stand between quotes', () => {
  expect(toCsv([['a,b', 'say "hi"', 'two\nlines', 'two\r\nlines']])).toBe('"a,b","say ""hi""","two\nlines","two\r\nlines"\r\n')
})

test.each([
  ['=HYPERLINK("https://x.example")', '"\'=HYPERLINK(""https://x.example"")"'],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['＝1+1', "'＝1+1"],
  ["'=1", "'=1"],
  ['a=1', 'a=1'],
  ['1500.25', '1500.25'],
])('%j is no formula', (text, cell) => expect(toCsv([[text]])).toBe(`${cell}\r\n`))
