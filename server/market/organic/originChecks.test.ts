import type { Address, Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import { findParties } from './findParties.ts'
import { listOrigins } from './originChecks.ts'

const wallet = (i: number) => `0x${i.toString(16).padStart(40, '0')}` as Address
const [token, money] = [wallet(0xe1), wallet(0xe2)]

it('compares wallets by what they paid to others, so that trading with oneself takes no place of theirs', () => {
  const base = { token0: money, token1: token, address: wallet(0xe3), changes: [], tick: 0 }
  const made = {
    txHash: '0x' as Hex,
    amount0: 1n,
    amount1: -1n,
    tick: 0,
    tickBefore: 0,
    logIndex: 0,
    blockNumber: 1,
    timestampSeconds: 1,
  }
  const trades = Array.from({ length: 400 }, (_, i) => {
    const origin = wallet(1_000 + i)
    return { ...made, usdE18: 1_000_000n, origin, sender: origin, recipient: origin }
  })
  const own = { ...base, trades, parts: trades.map(() => 0n) }
  const honest = { ...made, usdE18: 100n, origin: wallet(7), sender: wallet(7), recipient: wallet(7) }
  const listed = listOrigins(token, [own, { ...base, trades: [honest], parts: [1_000_000n] }], findParties([], undefined))
  expect([listed.length, listed[0]]).toEqual([400, wallet(7)])
})
