import { expect, it } from 'vitest'
import { readNamedAddress, readSession } from './readSession.ts'

const alice = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

it('reads the accounts and methods of all EVM namespaces, and of no other', () => {
  const session = {
    namespaces: {
      eip155: { accounts: [`eip155:31337:${alice}`, `eip155:1:${alice}`], methods: ['personal_sign'], events: [] },
      'eip155:10': { accounts: [`eip155:10:${alice}`], methods: ['eth_sendTransaction'], events: [] },
      solana: { accounts: ['solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ:7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'] },
    },
    peer: { metadata: { name: 'Pocket' } },
  }
  expect(readSession(session)).toEqual({
    accounts: [
      { chainId: 31_337, address: alice },
      { chainId: 1, address: alice },
      { chainId: 10, address: alice },
    ],
    methods: new Set(['personal_sign', 'eth_sendTransaction']),
    peerName: 'Pocket',
  })
})

it.each([
  ['nothing', undefined],
  ['no object', 'eip155'],
  ['no namespaces', { namespaces: null }],
  ['no lists', { namespaces: { eip155: { accounts: alice, methods: 7 } } }],
  ['no chain', { namespaces: { eip155: { accounts: [`eip155:0:${alice}`, `eip155::${alice}`, alice, 31_337] } } }],
  ['an address that is none', { namespaces: { eip155: { accounts: ['eip155:31337:0x12', `eip155:31337:${alice}0`] } } }],
])('reads no account of %s', (_, session) => {
  expect(readSession(session)).toEqual({ accounts: [], methods: new Set() })
})

it("makes a wallet's name harmless, and as long as a name", () => {
  const nameOf = (name: unknown) => readSession({ peer: { metadata: { name } } }).peerName
  expect(nameOf('\u202EevilteB <img src=x>')).toBe('evilteB <img src=x>')
  expect(nameOf('x'.repeat(10_000))?.length).toBeLessThanOrEqual(33)
  expect([nameOf(''), nameOf(7), nameOf('\u200B')]).toEqual([undefined, undefined, undefined])
})

it('takes no more than a hundred accounts', () => {
  const accounts = Array.from({ length: 10_000 }, () => `eip155:1:${alice}`)
  expect(readSession({ namespaces: { eip155: { accounts } } }).accounts).toHaveLength(100)
})

it('an event names an account with its chain, or alone', () => {
  expect(readNamedAddress([`eip155:1:${alice}`])).toBe(alice)
  expect(readNamedAddress([alice])).toBe(alice)
  expect([readNamedAddress([]), readNamedAddress(alice), readNamedAddress([7])]).toEqual([undefined, undefined, undefined])
})
