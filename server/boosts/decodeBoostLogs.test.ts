import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { ChainLog } from '../chain/chain.ts'
import { decodeBoostLogs } from './decodeBoostLogs.ts'

const word = (value: string) => value.padStart(64, '0')
const topic = (byte: string): Hex => `0x${word(byte.repeat(20))}`
const address = (byte: string): Address => `0x${byte.repeat(20)}`

/** Of the contract's own events, as the artifact has them. */
const topics = {
  boosted: '0xee6a12e47e61ef1f2a50a716daf719bc573bc883771cf148e2c1833ee8891c45',
  paid: '0x3606a3042eba5d4f21688cfd2687fdce3af0770bc3ddacb894d5a4a3b0c7de8f',
  paymentToken: '0x788882f3c3fc5a560504d6e3688fb36e39a1c5fcb5eb3eb20283ce3a53845256',
} as const

const place = {
  address: address('b0'),
  blockNumber: 7,
  blockHash: '0x77',
  txHash: '0xaa',
  timestampSeconds: 1_700_000_000,
} as const
const boosted = (changes: Partial<ChainLog> = {}): ChainLog => ({
  ...place,
  logIndex: 3,
  topics: [topics.boosted, topic('11'), topic('22')],
  data: `0x${word('6553f180')}`,
  ...changes,
})
const paid = (changes: Partial<ChainLog> = {}): ChainLog => ({
  ...place,
  logIndex: 4,
  topics: [topics.paid, topic('11'), topic('22'), topic('33')],
  data: `0x${word('17d7840')}`,
  ...changes,
})
const allowed = (decimals: string, isAllowed = '1'): ChainLog => ({
  ...place,
  logIndex: 1,
  topics: [topics.paymentToken, topic('33')],
  data: `0x${word(isAllowed)}${word(decimals)}`,
})

describe('logs of the boost contract', () => {
  it('give a payment: who paid what for which token, until when', () => {
    const { payments } = decodeBoostLogs([boosted(), paid()], new Map([[address('33'), 6]]))
    expect(payments).toEqual([
      {
        blockNumber: 7,
        logIndex: 4,
        token: address('11'),
        payer: address('22'),
        paymentToken: address('33'),
        amountRaw: 25_000_000n,
        decimals: 6,
        expiresAtSeconds: 1_700_000_128,
        txHash: '0xaa',
        timestampSeconds: 1_700_000_000,
      },
    ])
  })

  it('tell the decimals that later payments are in; those of a token that is taken no longer stay', () => {
    const { payments, decimals } = decodeBoostLogs([allowed('12'), boosted(), paid()], new Map())
    expect(payments.map((payment) => payment.decimals)).toEqual([18])
    expect(decodeBoostLogs([allowed('0', '0')], decimals).decimals.get(address('33'))).toBe(18)
    expect(decodeBoostLogs([boosted(), paid()], new Map()).payments[0]?.decimals).toBeUndefined()
  })

  it.each<[string, readonly ChainLog[]]>([
    ['a payment without a boost before it', [paid()]],
    ['a boost without a payment after it', [boosted()]],
    ['the two the other way round', [paid({ logIndex: 2 }), boosted()]],
    ['two that do not stand together', [boosted(), paid({ logIndex: 5 })]],
    ['two of different transactions', [boosted(), paid({ txHash: '0xbb' })]],
    ['two of different tokens', [boosted(), paid({ topics: [topics.paid, topic('12'), topic('22'), topic('33')] })]],
    ['two of different payers', [boosted(), paid({ topics: [topics.paid, topic('11'), topic('23'), topic('33')] })]],
    ['an end that no clock reaches', [boosted({ data: `0x${word('ff'.repeat(32))}` }), paid()]],
    ['an event of the same name in another shape', [boosted(), paid({ data: '0x' })]],
    ['an event with a topic too few', [boosted(), paid({ topics: [topics.paid, topic('11'), topic('22')] })]],
  ])('give no payment for %s', (_, logs) => {
    expect(decodeBoostLogs(logs, new Map()).payments).toEqual([])
  })
})
