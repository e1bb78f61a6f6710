import { describe, expect, it } from 'vitest'
import { mayCallNode } from './mayCallNode.ts'

const silent = { origin: undefined, fetchSite: undefined, host: '127.0.0.1:3000' }

describe.each([
  ['with PUBLIC_URL', { domain: 'board.example', publicOrigin: 'https://board.example' }],
  ['without', { domain: '127.0.0.1:3000', publicOrigin: undefined }],
])('%s, the node may be called', (_, site) => {
  it.each([
    ['by a program, and a wallet on a phone', {}],
    ['by a wallet in Chrome', { origin: 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', fetchSite: 'none' }],
    ['by a wallet in Firefox', { origin: 'moz-extension://1f2e', fetchSite: 'cross-site' }],
    ['by a wallet that shows pages of its own', { origin: 'capacitor://localhost' }],
  ])('%s', (_, source) => {
    expect(mayCallNode({ ...silent, ...source }, site)).toBe(true)
  })

  it.each([
    ['by a page of another site', { origin: 'https://evil.example', fetchSite: 'cross-site' }],
    ['by one whose browser does not say so', { origin: 'https://evil.example' }],
    ['by one that hides its address', { origin: 'null', fetchSite: 'cross-site' }],
    ['by one that sends no origin', { fetchSite: 'cross-site' }],
    [
      'by one under a name that leads here',
      { origin: 'http://evil.example:3000', host: 'evil.example:3000', fetchSite: 'same-origin' },
    ],
    ['by one whose address begins like a wallet’s', { origin: 'http://chrome-extension.example' }],
  ])('not %s', (_, source) => {
    expect(mayCallNode({ ...silent, ...source }, site)).toBe(false)
  })
})

it.each([
  ['http://127.0.0.1:3000', '127.0.0.1:3000', true],
  ['http://localhost:3000', 'localhost:3000', true],
  ['http://[::1]:3000', '[::1]:3000', true],
  ['http://192.168.1.5:3000', '192.168.1.5:3000', true],
  ['http://box.home:3000', 'box.home:3000', true],
  ['http://localhost.evil.example:3000', 'localhost.evil.example:3000', false],
])('without PUBLIC_URL a page at %s is the site’s own: %s %s', (origin, host, expected) => {
  const source = { origin, host, fetchSite: 'same-origin' }
  expect(mayCallNode(source, { domain: 'box.home:3000', publicOrigin: undefined })).toBe(expected)
})
