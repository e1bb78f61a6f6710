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
