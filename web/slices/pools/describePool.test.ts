import type { WirePool } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { toPoolName, toShare, toSides } from './describePool.ts'

const side = { name: '', listed: true, usdPrice: 1, amount: 1 }
const pool: WirePool = {
  ...{ address: '0x1', fee: 3_000, price: 1, liquidityUsd: 5, volume24h: 1, firstSwapAt: null, lastSwapAt: null },
  token0: { ...side, address: '0xaa', symbol: 'BSLT' },
  token1: { ...side, address: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0', symbol: '\u200b' },
  depth: { upUsd: 7, downUsd: 3 },
}

test('a pool is called by its two tokens and its fee, whatever these call themselves', () => {
  expect(toPoolName(pool)).toBe('BSLT/0x9fe4…a6e0 0.3%')
})

test('what buys one token sells the other', () => {
  expect(toSides(pool, '0xAA')).toEqual({ buyUsd: 7, sellUsd: 3 })
  expect(toSides(pool, pool.token1.address)).toEqual({ buyUsd: 3, sellUsd: 7 })
  expect(toSides({ ...pool, depth: null }, '0xaa')).toBeUndefined()
})

test('a share says when it is little, and nothing of what is not known', () => {
  expect([toShare(1, 3), toShare(0.001, 3), toShare(0, 3), toShare(null, 3), toShare(1, 0)]).toEqual([
    ...['33%', '<1%', '0%', undefined, undefined],
  ])
})
