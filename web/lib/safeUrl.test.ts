import { expect, test } from 'vitest'
import { safeImageUrl, safeUrl } from './safeUrl.ts'
import { fillTemplate } from './urls.ts'

test('only absolute http and https addresses become links', () => {
  expect(safeUrl('https://dex.example/swap?a=1')).toBe('https://dex.example/swap?a=1')
  expect(safeUrl('http://dex.example/')).toBe('http://dex.example/')
  for (const bad of [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    '/relative',
    '//other.example',
    'ftp://x.example',
    'https://dex.example@evil.example/',
    'https://:word@evil.example/',
    '',
    undefined,
  ])
    expect(safeUrl(bad)).toBeUndefined()
})

test('a logo is a path on this server or an https address', () => {
  const origin = 'http://127.0.0.1:3000'
  expect(safeImageUrl('/logos/bslt.svg', origin)).toBe('http://127.0.0.1:3000/logos/bslt.svg')
  expect(safeImageUrl('https://cdn.example/a.png', origin)).toBe('https://cdn.example/a.png')
  for (const bad of ['http://cdn.example/a.png', '//cdn.example/a.png', 'data:image/svg+xml,x', 'javascript:alert(1)', ''])
    expect(safeImageUrl(bad, origin)).toBeUndefined()
})

test('a protocol-relative logo keeps to https on an https page', () => {
  expect(safeImageUrl('//cdn.example/a.png', 'https://board.example')).toBe('https://cdn.example/a.png')
})

test('a template is filled with the address, and cannot smuggle a script', () => {
  expect(fillTemplate('https://dex.example/swap?outputCurrency={address}', '0xAbC')).toBe(
    'https://dex.example/swap?outputCurrency=0xAbC',
  )
  expect(fillTemplate('https://scan.example/tx/{hash}', 'a/b?c')).toBe('https://scan.example/tx/a%2Fb%3Fc')
  expect(fillTemplate('javascript:alert("{hash}")', '0x1')).toBeUndefined()
})

test('where the exchange has no such page there is no link', () => {
  expect(fillTemplate(null, '0x1')).toBeUndefined()
})
