import { expect, test } from 'vitest'
import { checkWalletAddress } from './checkWalletAddress.ts'

const checksummed = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const good = { kind: 'good', address: checksummed }
const bad = (reason: string) => ({ kind: 'bad', reason })

test.each([
  checksummed,
  checksummed.toLowerCase(),
  ` ${checksummed}\n`,
  `0x${checksummed.slice(2).toUpperCase()}`,
  `0X${checksummed.slice(2)}`,
])('%j is an address, spelled as its checksum wants it', (text) => expect(checkWalletAddress(text, [])).toEqual(good))

test('a capital letter in the wrong place breaks the checksum', () => {
  const reason = 'This address fails its checksum, so a character may be wrong. Copy it again.'
  expect(checkWalletAddress('0x70997970c51812dc3A010C7d01b50e0d17dc79C8', [])).toEqual(bad(reason))
  // One digit is another one.
  expect(checkWalletAddress('0x70997970C51812dc3A010C7d01b50e0d17dc79C9', [])).toEqual(bad(reason))
})

test.each(['0x', '70997970C51812dc3A010C7d01b50e0d17dc79C8', checksummed.slice(0, -1), `${checksummed}0`, 'vitalik.eth', '0xgg'])(
  '%j is told what an address looks like',
  (text) => expect(checkWalletAddress(text, [])).toEqual(bad('An address is 0x followed by 40 hexadecimal digits.')),
)

test('64 digits may be a private key, which belongs nowhere', () => {
  const reason = 'These are 64 digits: a private key or a transaction, not an address. Never paste a private key into a website.'
  expect(checkWalletAddress(`0x${'ab'.repeat(32)}`, [])).toEqual(bad(reason))
  expect(checkWalletAddress('AB'.repeat(32), [])).toEqual(bad(reason))
})

test('a wallet is added once, whatever the case, and the list ends at 50', () => {
  expect(checkWalletAddress(checksummed.toLowerCase(), [checksummed])).toEqual(bad('Wallet is already added'))
  const others = (count: number) => Array.from({ length: count }, (_, index) => `0x${String(index).padStart(40, '0')}`)
  expect(checkWalletAddress(checksummed, others(49))).toEqual(good)
  expect(checkWalletAddress(checksummed, others(50))).toEqual(bad('You can add up to 50 wallets'))
})
