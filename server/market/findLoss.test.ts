import { type Address, oneE18 } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { findLoss } from './findLoss.ts'
import { warnOfOwner } from './organic/warnOfOwner.ts'
import { type TokenListEntry, toEntries, toTokenList } from './tokenList.ts'
import type { TokenMarket } from './tokenMarket.ts'
import { checkOnChain } from './urlList/checkOnChain.ts'
import { createDecimalsBook } from './warnings/decimalsBook.ts'
import { contradictSupply, warnOfChange, warnOfContradiction } from './warnings/supplyText.ts'

const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const entry = (n: number, facts: Partial<TokenListEntry> = {}): TokenListEntry => ({
  ...{ name: `Token ${n}`, symbol: `T${n}`, address: address(n).toUpperCase().replace('X', 'x'), decimals: 18 },
  ...{ logo: '', category: 'Other', verified: false },
  ...facts,
})
const list = (count: number) =>
  toTokenList(
    Array.from({ length: count }, (_, i) => entry(i + 1)),
    [],
  )

describe('a list that lacks tokens', () => {
  const lost = (before: number, next: number) => findLoss(list(before), list(next), { field: 'TOKENS', way: 'say so' })

  it.each([
    [10, 5, false],
    [10, 4, true],
    [100, 90, false],
    [100, 89, true],
    [1_000, 950, false],
    [1_000, 949, true],
    [3, 1, false],
    [3, 0, true],
    [0, 0, false],
    [5, 500, false],
  ])('of %i has %i left: refused %s', (before, next, isRefused) => expect(lost(before, next)).toHaveLength(isRefused ? 1 : 0))

  it('says how many are gone and how many may go', () => {
    expect(lost(100, 20)).toEqual([
      {
        field: 'TOKENS',
        found: 'a list without 80 of the tokens before',
        wanted: 'at most 10 of 100 tokens gone at once; say so',
      },
    ])
    expect(lost(3, 0)[0]?.wanted).toBe('at most 2 of 3 tokens gone at once; say so')
  })
})

describe('a list of tokens', () => {
  it('knows them by their address in lower case, and features those that it has', () => {
    const { tokens, highlighted } = toTokenList([entry(171), entry(2)], [address(2), address(9), entry(171).address])
    expect(tokens.map(({ id }) => id)).toEqual([address(171), address(2)])
    expect(tokens[0]?.address).toBe('0x00000000000000000000000000000000000000AB')
    expect(highlighted.map(({ id }) => id)).toEqual([address(2), address(171)])
  })

  it('is an array or stands in an object; anything else is handed back to be found wrong', () => {
    const entries = [entry(1)]
    expect([toEntries(entries), toEntries({ tokens: entries })]).toEqual([entries, entries])
    expect([toEntries({}), toEntries(null), toEntries('x')]).toEqual([undefined, null, 'x'])
  })
})

describe('entries that are held against their contracts', () => {
  const asked: number[] = []
  const chain = {
    readTokens: async (tokens: readonly Address[]) => {
      asked.push(tokens.length)
      return tokens.map((token) => {
        const n = Number(token)
        return {
          address: token,
          symbol: n === 3 ? 'OTHER' : `T${n}`,
          name: '',
          decimals: n === 2 ? undefined : n === 4 ? 6 : 18,
          totalSupplyRaw: 0n,
        }
      })
    },
  }
  const check = (
    entries: readonly TokenListEntry[],
    known: readonly TokenListEntry[] = [],
    signal = new AbortController().signal,
  ) => checkOnChain(entries, { chain, known, signal })

  it('stay where decimals and symbol are the contract’s own, and others say what is wrong', async () => {
    const { entries, leftOut } = await check([1, 2, 3, 4].map((n) => entry(n)))
    expect(entries).toEqual([entry(1)])
    expect(leftOut.map(({ found, wanted }) => [found, wanted])).toEqual([
      ['no token on the chain', 'a contract with decimals()'],
      ['"T3"', '"OTHER", as on the chain'],
      ['18', '6, as on the chain'],
    ])
  })

  it('are asked about in parts, those that were right before not again, and none after the end', async () => {
    asked.length = 0
    const many = Array.from({ length: 130 }, (_, i) => entry(i + 100))
    // In another spelling it is the same claim; with other decimals it is another one.
    const known = [entry(171, { address: address(171) }), entry(101, { decimals: 6 })]
    expect((await check(many, known)).entries).toHaveLength(130)
    expect(asked).toEqual([64, 64, 1])
    asked.length = 0
    const ended = AbortSignal.abort()
    expect((await check(many, [], ended)).entries).toHaveLength(130)
    expect(asked).toEqual([])
  })
})

describe('a warning of decimals', () => {
  it('needs two readings in a row that differ, and goes with one that does not', () => {
    const book = createDecimalsBook()
    const note = (decimalsOnChain: number | undefined) => book.note(address(1), { decimals: 18, decimalsOnChain })
    note(6)
    expect(book.warn(address(1))).toEqual([])
    // No answer says nothing.
    note(undefined)
    expect(book.warn(address(1))).toEqual([])
    note(6)
    expect(book.warn(address(1))).toEqual([
      {
        code: 'decimals-changed',
        text: 'Its contract now reports 6 decimals instead of 18. Price and supply here still use 18',
      },
    ])
    expect(book.warn(address(2))).toEqual([])
    note(18)
    note(7)
    expect(book.warn(address(1))).toEqual([])
  })
})

describe('a warning of the supply', () => {
  it('comes from more than a hundredth off, of what is on the chain', () => {
    expect(contradictSupply(101, 100)).toBeUndefined()
    expect(contradictSupply(99, 100)).toBeUndefined()
    expect(contradictSupply(400_000_000, 500_000_000)).toBe('400,000,000, but 500,000,000 on the chain')
    expect(contradictSupply(0.5, 0.25)).toBe('0.5, but 0.25 on the chain')
    expect(warnOfContradiction(undefined, 5)).toEqual([])
    expect(warnOfContradiction(5, undefined)).toEqual([])
    expect(warnOfContradiction(2, 1)).toEqual([
      { code: 'supply-contradicts', text: 'The listed supply is 2, but 1 on the chain' },
    ])
  })

  it('says from when to when it changed', () => {
    const to = { supply: 2_000, seenAtSeconds: 1_795_000_000 }
    expect(warnOfChange(undefined)).toEqual([])
    expect(warnOfChange({ from: { supply: 1_000, seenAtSeconds: 1_794_996_400 }, to })[0]?.text).toBe(
      'The supply changed from 1,000 to 2,000 between 2026-11-18 10:06:40 and 2026-11-18 11:06:40 UTC',
    )
    expect(warnOfChange({ from: { supply: 1_000, seenAtSeconds: undefined }, to })[0]?.text).toBe(
      'The supply changed from 1,000 to 2,000 before 2026-11-18 11:06:40 UTC',
    )
  })
})

describe('a warning of one provider', () => {
  const market = (...weights: readonly number[]) => {
    const pools = weights.map((weight, i) => ({ pool: address(i + 1), weightUsdE18: BigInt(weight) * oneE18 }))
    return { quote: { steps: [{ pools }] } } as unknown as Pick<TokenMarket, 'quote'>
  }
  const owner = (group: string, millionths: bigint, n = 7) => ({ group, provider: address(n), millionths })

  it('comes where a group owns more than four fifths of what sets the price, over all pools', () => {
    const owners = new Map([
      [address(1), owner('g', 900_000n)],
      [address(2), owner('g', 900_000n, 8)],
    ])
    expect(warnOfOwner(market(1_000, 3_000), owners)).toEqual([
      {
        code: 'one-provider',
        // Named by the pool that weighs most.
        text: 'One provider, 0x0000…0008, owns 90 % of the liquidity near the price ($3.60K of $4.00K of depth) in the pools that set the price, and can withdraw it at any time',
      },
    ])
  })

  it('comes not at four fifths, not where two share it, and not without a price', () => {
    expect(warnOfOwner(market(1_000), new Map([[address(1), owner('g', 800_000n)]]))).toEqual([])
    const two = new Map([
      [address(1), owner('g', 1_000_000n)],
      [address(2), owner('h', 1_000_000n)],
    ])
    expect(warnOfOwner(market(1_000, 1_000), two)).toEqual([])
    expect(warnOfOwner(market(1_000), new Map())).toEqual([])
    expect(warnOfOwner({ quote: undefined }, two)).toEqual([])
  })
})
