import { hideKeyLike } from '@chainboard/core'
import { expect, it } from 'vitest'
import { hideSecrets } from './hideSecrets.ts'

const key = '0123456789abcdef0123456789abcdef'

it.each([
  ['a key in the path', `https://gateway.example/api/${key}/subgraphs/id/Qm1`, `auth error: unknown key ${key}`],
  ['a key in the query', `https://gateway.example/graphql?apikey=${key}`, `no such key: ${key}`],
  ['a password', `https://user:${key}@gateway.example/graphql`, `login ${key} failed`],
  ['the whole URL', `https://gateway.example/api/${key}`, `POST https://gateway.example/api/${key} failed`],
  ['a key spelt with escapes', `https://gateway.example/?key=pass%20word%2F1`, 'pass%20word%2F1 or pass word/1'],
])('does not show %s', (_, url, text) => {
  const shown = hideSecrets(text, url)
  expect(shown).toContain('…')
  expect(shown).not.toContain(key)
  expect(shown).not.toMatch(/pass.{1,3}word/)
})

it('leaves other words alone, on one line, cut to 200 characters', () => {
  expect(hideSecrets('Type `Pool`\n has no field `x`', 'https://graph.example/a/b')).toBe('Type `Pool` has no field `x`')
  expect(hideSecrets('x'.repeat(5_000), 'https://graph.example/')).toBe(`${'x'.repeat(200)}…`)
})

it.each([
  ['invalid key c0ffee00c0ffee00c0ffee00c0ffee00: see the dashboard', 'invalid key …: see the dashboard'],
  ['key=aB3_-aB3_-aB3_-aB3_-aB3_ is spent', 'key=… is spent'],
  ['project 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', 'project …'],
  ['POST https://node.example/v2/short failed, wss://u:p@node.example too', 'POST … failed, … too'],
  [`no balance at 0x${'Ab'.repeat(20)}`, `no balance at 0x${'Ab'.repeat(20)}`],
  [
    'the method eth_getBlockTransactionCountByNumber does not exist',
    'the method eth_getBlockTransactionCountByNumber does not exist',
  ],
  ['eth_getLogs is limited to a 10,000 range', 'eth_getLogs is limited to a 10,000 range'],
])('hides what may be a key of an unknown URL: %s', (text, shown) => expect(hideKeyLike(text)).toBe(shown))
