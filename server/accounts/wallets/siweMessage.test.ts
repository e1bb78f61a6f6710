import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import { buildSiweMessage, findSiweParts, type SiweMessage } from './siweMessage.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const message: SiweMessage = {
  domain: 'board.example:8443',
  address,
  statement: 'Sign in to your account.',
  uri: 'https://board.example:8443',
  chainId: 31_337,
  nonce: '0123456789abcdef',
  issuedAtSeconds: 1_795_700_000,
  expiresAtSeconds: 1_795_700_300,
}

test('is the text of EIP-4361, as viem writes and reads it', () => {
  const text = buildSiweMessage(message)
  expect(text).toBe(
    createSiweMessage({
      domain: 'board.example:8443',
      address,
      statement: 'Sign in to your account.',
      uri: 'https://board.example:8443',
      version: '1',
      chainId: 31_337,
      nonce: '0123456789abcdef',
      issuedAt: new Date('2026-11-26T13:33:20Z'),
      expirationTime: new Date('2026-11-26T13:38:20Z'),
    }),
  )
  expect(parseSiweMessage(text)).toMatchObject({ address, chainId: 31_337, nonce: '0123456789abcdef' })
})

test.each(['board', 'localhost:3000', 'board.example.xn--p1ai', '[::1]:3000'])('may be for %s', (domain) => {
  expect(findSiweParts(buildSiweMessage({ ...message, domain }))).toEqual({ domain, address, nonce: '0123456789abcdef' })
})

test.each([
  '',
  'Sign in',
  `board.example wants you to sign in with your Ethereum account:\n0x12\n\nURI: x\nNonce: 0123456789\n`,
  `two words wants you to sign in with your Ethereum account:\n${address}\n\nNonce: 0123456789\n`,
])('is no other text: %j', (text) => {
  expect(findSiweParts(text)).toBeUndefined()
})
