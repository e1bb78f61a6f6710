import type { WirePool } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { toPair, toPoolName, toShare, toSides } from './describePool.ts'

const side = { name: '', listed: true, usdPrice: 1, amount: 1 }
const pool: WirePool = {
  ...{ address: '0x1', fee: 3_000, price: 1, liquidityUsd: 5, volume24h: 1, firstSwapAt: null, lastSwapAt: null },
  token0: { ...side, address: '0xaa', symbol: 'BSLT' },
  token1: { ...side, address: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0', symbol: '\u200b' },
  depth: { upUsd: 7, downUsd: 3 },
}

test('a pool is called by its two tokens and its fee, whatever these call themselves', () => {
  expect(toPoolName(pool, undefined)).toBe('BSLT/0x9fe4…a6e0 0.3%')
})

test('a pool is named after what is bought in it, and priced in what that is paid with', () => {
  const coins = { usdc: { address: '0xDC', decimals: 6 }, wrappedNative: { address: '0xEE', symbol: 'WEMB' } }
  const of = (address0: string, address1: string, price: number | null) =>
    toPair(
      {
        ...pool,
        token0: { ...side, address: address0, symbol: '0' },
        token1: { ...side, address: address1, symbol: '1' },
        price,
      },
      coins,
    )
  const read = ({ base, quote, price }: ReturnType<typeof of>) => [base.symbol, quote.symbol, price]
  expect(read(of('0xdc', '0xee', 0.0005))).toEqual(['1', '0', 2000])
  expect(read(of('0xee', '0xdc', 2000))).toEqual(['0', '1', 2000])
  expect(read(of('0xee', '0xaa', 0.25))).toEqual(['1', '0', 4])
  expect(read(of('0xaa', '0xbb', 0.25))).toEqual(['0', '1', 0.25])
  expect([of('0xdc', '0xaa', 0).price, of('0xdc', '0xaa', null).price]).toEqual([null, null])
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
