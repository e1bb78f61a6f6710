import { expect, test } from 'vitest'
import { toDrawnPath } from './toDrawnPath.ts'

const listed = '0x0165878a594ca255338adfa4d48449f69242eb8f'
const other = '0x00000000000000000000000000000000000000aa'

test.each([
  ['/', '/'],
  ['/?utm_source=x&page=2&q=a%26b&_=1', '/?q=a%26b&page=2'],
  ['/?q=one&q=two', '/?q=two'],
  [`/?q=${'x'.repeat(70)}`, `/?q=${'x'.repeat(64)}`],
  [`/token/${listed.toUpperCase().replace('0X', '0x')}?tab=pools&x=1`, `/token/${listed}?tab=pools`],
  [`/token/${listed}/receipt?tab=pools`, `/token/${listed}/receipt`],
  [`/pool/${other}/`, `/pool/${other}`],
  [`/wallet/${other}?over=100`, `/wallet/${other}?over=100`],
  ['/pools?sort=new', '/pools?sort=new'],
  ['/swaps', '/swaps'],
])('%s is the page %s', (url, path) => {
  expect(toDrawnPath(url, (token) => token === listed)).toBe(path)
})

test.each(['/portfolio', '/admin', `/token/${other}`, '/token/BSLT', `/pool/${other}/receipt`, '/pool/x', '//evil.example'])(
  '%s is left to browsers',
  (url) => {
    expect(toDrawnPath(url, (token) => token === listed)).toBeUndefined()
  },
)
