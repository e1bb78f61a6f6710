import { expect, test } from 'vitest'
import { toPageTitle, toSiteTitle, toTokenTitle } from './pageTitle.ts'

const address = '0x1234567890123456789012345678901234567890'

test('a token is named with its symbol, its price and the site', () => {
  expect(toTokenTitle({ name: 'Tidewater', symbol: 'TIDE', address }, 'Ember Board')).toBe('Tidewater (TIDE) price · Ember Board')
})

test('tabs with the chart, the swaps and the boost of a token can be told from one with its details', () => {
  const tide = { name: 'Tidewater', symbol: 'TIDE', address }
  expect(toTokenTitle(tide, 'Board', 'token')).toBe('Tidewater (TIDE) price · Board')
  expect(toTokenTitle(tide, 'Board', 'chart')).toBe('Tidewater (TIDE) price chart · Board')
  expect(toTokenTitle(tide, 'Board', 'swaps')).toBe('Tidewater (TIDE) recent swaps · Board')
  expect(toTokenTitle(tide, 'Board', 'boost')).toBe('Tidewater (TIDE) boost · Board')
})

test('the address stands in for a name and a symbol in which nothing is visible', () => {
  expect(toTokenTitle({ name: '\u202E', symbol: ' ', address }, 'Board')).toBe('0x1234…7890 (0x1234…7890) price · Board')
})

test('a long name and a long symbol leave room for the site', () => {
  const title = toTokenTitle({ name: 'n'.repeat(10_000), symbol: 's'.repeat(1_000), address }, 'Board')
  expect(title).toBe(`${'n'.repeat(63)}… (${'s'.repeat(15)}…) price · Board`)
})

test('a site without a visible name has the name of the product', () => {
  expect(toSiteTitle('\u200B')).toBe('Chainboard')
})

test('a page is named before the site', () => {
  expect(toPageTitle('Login', 'Ember Board')).toBe('Login · Ember Board')
})
