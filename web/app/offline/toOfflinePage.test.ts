import { expect, test } from 'vitest'
import { toOfflinePage } from './toOfflinePage.ts'

const atMs = 1_795_700_000_000
const html =
  '<html><head><script src="/theme.js"></script></head><body><div id="root"><p data-now="">Live prices</p>$1.50</div>' +
  '<script type="application/json" id="drawn">{"atSeconds":1795700000,"clock":{}}</script></body></html>'
const format = (ms: number) => `[${ms}]`

test('the last page is shown with the time of its prices, without scripts and without calling them live', () => {
  const page = toOfflinePage(html, atMs + 1_000, format)
  expect(page).toContain('Offline, prices of [1795700000000].')
  expect(page).toContain('$1.50')
  expect(page).not.toContain('<script')
  expect(page).toContain('[data-now]{display:none}')
})

test('prices of last week are not shown', () => {
  expect(toOfflinePage(html, atMs + 7 * 86_400_000, format)).toContain('$1.50')
  expect(toOfflinePage(html, atMs + 7 * 86_400_000 + 1, format)).toBeUndefined()
})

test('a page that the server has not drawn has no prices', () => {
  expect(toOfflinePage('<body><div id="root"></div></body>', atMs, format)).toBeUndefined()
})
