import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hideKeyLike, hideUrls } from './hideKeys.ts'

const hash = `0x${'9f'.repeat(32)}`

describe('words of an upstream', () => {
  it.each([
    ['a URL with its key', 'HTTP 403 from https://eth.example/v2/abc?x=1 now', 'HTTP 403 from … now'],
    ['a socket', 'cannot reach WSS://node.example:8546/key', 'cannot reach …'],
    ['a URL in quotes, without them', 'bad "http://a.example/k" and <https://b.example>', 'bad "…" and <…>'],
    ['a run of 24 characters', 'key Zq7Xw2Vb9Lk4Mn8Pq1Rs5Tu6 refused', 'key … refused'],
    ['a key with signs', 'project abcdef-0123456789_ABCDEF is out', 'project … is out'],
    ['a name that is no method', 'X_ABCDEFGHIJKLMNOPQRSTUVWXYZ', '…'],
  ])('lose %s', (_, text, left) => expect(hideKeyLike(text)).toBe(left))

  it.each([
    ['an address', 'no contract at 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'],
    ['a hash', `unknown block ${hash}`],
    ['call data of any length', `reverted: 0x${'00'.repeat(500)}`],
    ['a method', 'eth_getTransactionByBlockHashAndIndex is not offered'],
    ['23 characters', 'header x-abcdefghijklmnopqrstu is missing'],
    ['plain words', 'execution reverted: too little received'],
  ])('keep %s', (_, text) => expect(hideKeyLike(text)).toBe(text))

  it('hold no key, wherever it stands', () =>
    fc.assert(
      fc.property(
        fc.stringMatching(/^[g-zG-Z][A-Za-z0-9]{31}$/),
        fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[A-Za-z0-9_-]/g, ' ')),
        fc.constantFrom('', 'https://rpc.example/v3/', 'Authorization: Bearer ', '{"apikey":"'),
        (key, around, before) => {
          expect(hideKeyLike(`${around}${before}${key}${around}`)).not.toContain(key)
        },
      ),
    ))
})

it('a URL goes to its end, and what follows it stays', () => {
  expect(hideUrls('a https://x.example/?q=1#f b http://y c')).toBe('a … b … c')
  expect(hideUrls('ftp://x.example and mailto:me stay')).toBe('ftp://x.example and mailto:me stay')
})
