import { describe, expect, it } from 'vitest'
import { toSwapSpan } from './figures/swapSpan.ts'
import { toCanonicalText, toChecksum } from './toChecksum.ts'

describe('the checksum of a receipt', () => {
  it('is of its canonical text, whatever the order of the fields', () => {
    const text = '{"a":[1,{"x":null,"y":"\\u0001 \\"q\\""}],"b":0.5,"é":true}'
    expect(toCanonicalText({ é: true, b: 0.5, a: [1, { y: '\u0001 "q"', x: null }] })).toBe(text)
    // printf '{"a":1,"b":[true,null]}' | sha256sum
    expect(toChecksum({ b: [true, null], a: 1 })).toBe('1cc69c7fa23616ca2ec3ee70d24390a6225c8832db8a4c814c7e0e7f942f8668')
  })

  it('of swaps is of a line for each', () => {
    const swap = { blockNumber: 7, logIndex: 3, amount0: -5n, amount1: 12n, sqrtPriceX96: 99n }
    // printf '7:3:-5:12:99\n7:4:1:-2:98\n' | sha256sum
    expect(toSwapSpan([swap, { ...swap, logIndex: 4, amount0: 1n, amount1: -2n, sqrtPriceX96: 98n }])).toEqual({
      swaps: 2,
      volume0: 6n,
      volume1: 14n,
      checksum: 'd7dbd91344320f9709947f116b169a1a9dd6a9eb98670c73524648e686c07d5a',
    })
  })
})
