import type { WireSwap } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { describeSwap } from './describeSwap.ts'

const swap: WireSwap = {
  id: '0xaa#1',
  timestamp: 1_800_000_000,
  amount0: '-12.3456',
  amount1: '10',
  sender: '0x1111111111111111111111111111111111111111',
  recipient: '0x2222222222222222222222222222222222223333',
  transaction: { id: '0xaa' },
  pool: { token0: { id: '0x1' }, token1: { id: '0x2' } },
  type: 'buy',
  tokenAmount: 1234.567,
  usdValue: 10.5,
  priceImpact: null,
  tokenPriceAtSwap: null,
  percentChangeFromPrevious: null,
}
const explorer = { txUrl: 'https://scan.example/tx/{hash}', addressUrl: 'https://scan.example/address/{address}' }

test('a swap reads its side, amount with symbol, value and account, and leads to its transaction', () => {
  expect(describeSwap(swap, 'BSLT', explorer)).toMatchObject({
    type: 'Buy',
    amount: '1,234.57 BSLT',
    value: '$10.50',
    account: '0x2222…3333',
    txUrl: 'https://scan.example/tx/0xaa',
  })
})

test('a swap without a dollar value reads N/A, and dust is not shown as nothing', () => {
  expect(describeSwap({ ...swap, usdValue: null, tokenAmount: Number.NaN }, 'BSLT', null)).toMatchObject({
    amount: 'N/A',
    value: 'N/A',
    txUrl: undefined,
  })
  expect(describeSwap({ ...swap, usdValue: 0.001, tokenAmount: 0.0001 }, 'BSLT', null)).toMatchObject({
    amount: '<0.01 BSLT',
    value: '<$0.01',
  })
  expect(describeSwap({ ...swap, type: 'sell', usdValue: 0 }, 'BSLT', null)).toMatchObject({ type: 'Sell', value: '$0.00' })
})

test('a value keeps its cents as long as they fit into the column, however absurd it is', () => {
  const textOf = (usdValue: number) => describeSwap({ ...swap, usdValue }, 'BSLT', null).value
  expect([0.5, 999.999, 1_036.349, 999_999.99, 1_234_567, 5e12, 1e30].map(textOf)).toEqual([
    '$0.50',
    '$1,000.00',
    '$1,036.35',
    '$999,999.99',
    '$1.23M',
    '$5.00T',
    '$1.00e+30',
  ])
})
