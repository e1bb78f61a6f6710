import { describe, expect, it, test } from 'vitest'
import { readAccount, readBalance, readChainId, readRevertData, readWords, toErrorText } from './readAnswer.ts'

describe('what a wallet answers', () => {
  it('is an account only when it looks like one, and then has its checksum', () => {
    expect(readAccount(['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'])).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    for (const none of [[], undefined, null, 'x', ['0x12'], [7], [`0x${'z'.repeat(40)}`]])
      expect(readAccount(none)).toBeUndefined()
  })

  it.each([
    ['0x7a69', 31_337],
    ['31337', 31_337],
    [1, 1],
    ['0x', 0],
    ['-1', 0],
    [null, 0],
    ['0xffffffffffffffffff', 0],
  ])('is a chain or none: %s', (answer, id) => expect(readChainId(answer)).toBe(id))

  it.each([
    ['0xde0b6b3a7640000', 1_000_000_000_000_000_000n],
    ['0x0', 0n],
    ['1000', 0n],
    [undefined, 0n],
    [`0x${'f'.repeat(65)}`, 0n],
  ])('is a balance or 0: %s', (answer, raw) => expect(readBalance(answer)).toBe(raw))
})

describe('what a wallet refuses', () => {
  it.each([
    [{ code: 4001 }, 'You declined the request in your wallet'],
    [{ code: -32_603, data: { originalError: { code: 4001 } } }, 'You declined the request in your wallet'],
    [{ code: -32_002 }, 'Your wallet already has a request open. Open your wallet to continue.'],
    [{ code: 5100 }, 'Your wallet does not support this network'],
    [new Error('<b>anything</b>'), 'Failed to connect wallet'],
    [undefined, 'Failed to connect wallet'],
  ])('%j', (error, text) => expect(toErrorText(error, 'Failed to connect wallet')).toBe(text))
})

describe('what a contract said no with', () => {
  const data = '0xd93c0665'
  it.each([
    ["in the node's own error", { code: 3, data }],
    ['in an error around it', { code: -32_603, data: { code: 3, data } }],
    ["in MetaMask's", { code: -32_603, data: { originalError: { code: 3, data } } }],
    ["in a library's", new Error('failed', { cause: { data } })],
  ])('is found %s', (_, error) => expect(readRevertData(error)).toBe(data))

  it.each([
    undefined,
    'no',
    { data: '0x' },
    { data: '0x1234' },
    { data: { data: { data: { data: { data: { data: { data } } } } } } },
    7,
  ])('is not in %j', (error) => expect(readRevertData(error)).toBeUndefined())
})

test("a wallet's words are one harmless line", () => {
  expect(readWords(new Error('\u202Eboom\n<b>'))).toBe('boom <b>')
  expect(readWords(new Error('x'.repeat(9_000)))).toHaveLength(200)
  for (const none of [undefined, {}, { message: 7 }, { message: ' ' }]) expect(readWords(none)).toBeUndefined()
})
