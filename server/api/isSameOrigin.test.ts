import { describe, expect, it } from 'vitest'
import { isSameOrigin } from './isSameOrigin.ts'

const own = { origin: undefined, fetchSite: undefined, host: '127.0.0.1:3000' }

it.each([
  ['of a program without a word on it', {}, true],
  ['of our page under the name that was called', { origin: 'http://127.0.0.1:3000' }, true],
  ['of our page under the name that it listens at', { origin: 'http://board.home:3000' }, true],
  ['that a browser calls our own', { fetchSite: 'same-origin', origin: 'http://localhost:5173' }, true],
  ['that somebody typed', { fetchSite: 'none' }, true],
  ['of another site', { origin: 'https://evil.example' }, false],
  ['of another port', { origin: 'http://127.0.0.1:3001' }, false],
  ['of a page below our name', { origin: 'https://a.board.example' }, false],
  ['of a page whose name begins like ours', { origin: 'https://board.example.evil.example' }, false],
  ['of a page that hides it', { origin: 'null' }, false],
  ['with an empty word', { origin: '' }, false],
  ['that a browser calls of another site', { fetchSite: 'cross-site' }, false],
  ['that a browser calls of another part of our site', { fetchSite: 'same-site', origin: 'https://board.example' }, false],
])('a call %s: same origin %#', (_, source, expected) => {
  expect(isSameOrigin({ ...own, ...source }, { domain: 'board.home:3000', publicOrigin: undefined })).toBe(expected)
})

describe('where the address of the site is known', () => {
  const site = { domain: 'board.example', publicOrigin: 'https://board.example' }

  it.each([
    ['of a program without a word on it', {}, true],
    ['of our page behind a proxy', { origin: 'https://board.example' }, true],
    ['of our page, and a browser says so', { fetchSite: 'same-origin', origin: 'https://board.example' }, true],
    ['that a browser calls our own', { fetchSite: 'same-origin' }, true],
    ['of a page under a name of its own that leads here', { origin: 'http://evil.example', host: 'evil.example' }, false],
    ['of such a page whose browser calls it our own', { fetchSite: 'same-origin', origin: 'https://evil.example' }, false],
    ['of our name without the lock', { origin: 'http://board.example' }, false],
    ['of our name at another port', { origin: 'https://board.example:8443' }, false],
    ['of the address that it listens at', { origin: 'http://127.0.0.1:3000' }, false],
    ['of a page that hides it', { origin: 'null' }, false],
    ['with an empty word', { origin: '' }, false],
    ['that a browser calls of another part of our site', { fetchSite: 'same-site', origin: 'https://board.example' }, false],
  ])('a call %s: same origin %#', (_, source, expected) => {
    expect(isSameOrigin({ ...own, ...source }, site)).toBe(expected)
  })
})
