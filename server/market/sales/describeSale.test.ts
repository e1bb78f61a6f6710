import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { describeHolders, describeSale } from './describeSale.ts'
import type { HolderSale } from './simulateHolders.ts'
import type { Sale } from './simulateSale.ts'

const pool: Address = `0xa1${'0'.repeat(34)}beef`
const holder: Address = `0xb1${'0'.repeat(34)}cafe`
const sold = { symbol: 'TRAP', decimals: 3, pool }
const evidence = '(simulated at block 9 with the pool 0xa100…beef)'
/** What arrives of ten whole tokens, with the buyer and back in the pool. */
const sale = (received: bigint, returned: bigint): Sale => ({ kind: 'sold', block: 9, taken: 10_000n, received, returned })
const codesOf = (...args: Parameters<typeof describeSale>) => describeSale(...args).map(({ code }) => code)

describe('a simulated sale', () => {
  it('warns of nothing where at most a thousandth is lost each way, and of a tax beyond', () => {
    expect(codesOf(sale(10_000n, 10_000n), sold)).toEqual([])
    expect([codesOf(sale(9_990n, 9_981n), sold), codesOf(sale(9_989n, 9_989n), sold)]).toEqual([[], ['sell-tax']])
  })

  it('names each way on which something is lost, by what was sent on it', () => {
    expect(describeSale(sale(9_000n, 8_995n), sold)).toEqual([
      { code: 'sell-tax', text: `Of 10 TRAP bought, 9 arrived ${evidence}` },
    ])
    expect(describeSale(sale(9_000n, 1_000n), sold)).toEqual([
      { code: 'sell-tax', text: `Of 10 TRAP bought, 9 arrived. Of 9 TRAP sold, 1 arrived ${evidence}` },
    ])
    expect(describeSale(sale(10_000n, 0n), sold)[0]?.text).toMatch(/^Of 10 TRAP sold, \S+ arrived/)
  })

  it('does not hold it against a token that gives more than was asked for', () => {
    expect(codesOf(sale(12_000n, 10_000n), sold)).toEqual([])
  })

  it('says which of the two could not be done', () => {
    expect(describeSale({ kind: 'not-taken', block: 9, taken: 10_000n }, sold)).toEqual([
      { code: 'cannot-sell', text: `10 TRAP could not be bought: the transfer failed ${evidence}` },
    ])
    expect(describeSale({ kind: 'not-sold', block: 9, taken: 10_000n }, sold)).toEqual([
      { code: 'cannot-sell', text: `10 TRAP were bought and could not be sold back ${evidence}` },
    ])
  })

  it('warns of a pool that has over two per cent less than its events say, and not at two', () => {
    // A thousandth was taken: the pool has 10,000,000.
    const withReserve = (reserveRaw: bigint | undefined) => codesOf(sale(10_000n, 10_000n), { ...sold, reserveRaw })
    expect([withReserve(10_204_081n), withReserve(10_204_082n)]).toEqual([[], ['pool-short']])
    expect([withReserve(undefined), withReserve(5_000_000n), withReserve(0n)]).toEqual([[], [], []])
    expect(describeSale(sale(10_000n, 10_000n), { ...sold, reserveRaw: 20_000_000n })[0]?.text).toBe(
      `The pool has about 10,000 TRAP and should have 20,000 by its trades and deposits ${evidence}. Its TVL and depth count tokens that are not there`,
    )
  })

  it('names the worst first, and no symbol that says more than a symbol', () => {
    expect(codesOf(sale(10_000n, 0n), { ...sold, reserveRaw: 20_000_000n })).toEqual(['sell-tax', 'pool-short'])
    const [warning] = describeSale(sale(10_000n, 0n), { ...sold, symbol: 'X'.repeat(900) })
    expect(warning?.text.length).toBeLessThan(150)
  })
})

describe('simulated sales by those who bought before', () => {
  const by = (arrived: bigint): HolderSale => ({ holder, amount: 10_000n, arrived, block: 9 })
  const end = '0xb100…cafe, simulated at block 9 with the pool 0xa100…beef'

  it('warn only of what none of them could do', () => {
    expect(describeHolders([by(0n), by(10_000n)], sold)).toEqual([])
    expect(describeHolders([by(9_990n)], sold)).toEqual([])
    expect(describeHolders([], sold)).toEqual([])
  })

  it('say that it could not be sold where nothing of one of them arrived, else that it was taxed', () => {
    expect(describeHolders([by(0n)], sold)).toEqual([
      {
        code: 'cannot-sell',
        text: `It could not be sold by a wallet that bought it before: the transfer of 10 TRAP failed (${end})`,
      },
    ])
    expect(describeHolders([by(5_000n), by(0n)], sold).map(({ code }) => code)).toEqual(['cannot-sell'])
    expect(describeHolders([by(5_000n), by(4_000n)], sold)).toEqual([
      {
        code: 'sell-tax',
        text: `It was taxed when sold by 2 of 2 wallets that bought it before: of 10 TRAP, 5 arrived (${end})`,
      },
    ])
  })
})
