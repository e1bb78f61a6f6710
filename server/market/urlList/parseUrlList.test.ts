import { describe, expect, it } from 'vitest'
import { parseUrlList } from './parseUrlList.ts'

const address = (byte: string) => `0x${byte.repeat(20)}`
const token = (facts: object = {}) => ({
  ...{ chainId: 42_220, address: address('Ab'), name: 'Tidewater', symbol: 'TIDE', decimals: 18 },
  ...{ logoURI: 'https://logo.example/tide.png' },
  ...facts,
})
const parse = (...tokens: readonly unknown[]) => parseUrlList({ name: 'A list', tokens }, 42_220)

describe('a list of the web', () => {
  it('is its tokens of this chain, none of which anybody here has looked at', () => {
    const { entries, leftOut, problems } = parse(token(), token({ chainId: 1, name: 7 }), null, token({ address: address('cd') }))
    expect([leftOut, problems]).toEqual([[], []])
    expect(entries).toEqual([
      {
        ...{ name: 'Tidewater', symbol: 'TIDE', address: address('Ab'), decimals: 18 },
        ...{ logo: 'https://logo.example/tide.png', category: 'Other', verified: false },
      },
      {
        ...{ name: 'Tidewater', symbol: 'TIDE', address: address('cd'), decimals: 18 },
        ...{ logo: 'https://logo.example/tide.png', category: 'Other', verified: false },
      },
    ])
  })

  it.each([
    [undefined, 'nothing'],
    [null, 'nothing'],
    [{ tokens: 'many' }, '"many"'],
    [[token()], 'nothing'],
    ['tokens', 'nothing'],
  ])('is none where it reads %j', (value, found) => {
    expect(parseUrlList(value, 42_220)).toEqual({
      ...{ entries: [], leftOut: [], problems: [{ field: 'tokenList.tokens', found, wanted: 'a list of tokens' }] },
    })
  })

  it('is none without a token of this chain, and with more than are listed', () => {
    expect(parse(token({ chainId: 1 }), token({ chainId: '42220' })).problems).toEqual([
      { field: 'tokenList.tokens', found: '2 tokens of other chains', wanted: 'tokens of chain 42220' },
    ])
    expect(parse(...Array(50_001).fill(token())).problems).toEqual([
      { field: 'tokenList.tokens', found: '50001 tokens', wanted: 'a list of at most 50000 tokens' },
    ])
  })

  it('leaves out what it says wrong, names where, and takes the rest', () => {
    const { entries, leftOut } = parse(
      ...[token({ decimals: 78 }), token(), token({ address: address('aB') }), token({ address: '0x12' })],
      ...[token({ name: '' }), token({ symbol: 'x'.repeat(21) }), token({ address: 7 })],
    )
    expect(entries).toHaveLength(1)
    expect(leftOut.map(({ field, wanted }) => [field, wanted])).toEqual([
      ['tokenList.tokens.0.decimals', 'a whole number from 0 to 77'],
      // In another spelling it is the same address.
      ['tokenList.tokens.2.address', 'an address once'],
      ['tokenList.tokens.3.address', 'an address: 0x and 40 hexadecimal digits'],
      ['tokenList.tokens.4.name', 'a name of 1 to 60 characters'],
      ['tokenList.tokens.5.symbol', 'a symbol of 1 to 20 characters'],
      ['tokenList.tokens.6.address', expect.any(String)],
    ])
  })

  it('explains the first hundred of its broken tokens, and counts the others', () => {
    const { leftOut } = parse(...Array.from({ length: 120 }, () => token({ decimals: -1 })))
    expect(leftOut).toHaveLength(120)
    expect(leftOut[99]?.field).toBe('tokenList.tokens.99.decimals')
    expect(leftOut[100]).toMatchObject({ field: 'tokenList.tokens.100', wanted: 'a token' })
  })

  it.each([
    ['ipfs://bafy', ''],
    ['data:image/svg+xml,<svg/>', ''],
    ['javascript:alert(1)', ''],
    ['//logo.example/a.png', ''],
    [`https://logo.example/${'a'.repeat(2_000)}`, ''],
    [7, ''],
    [undefined, ''],
    ['http://logo.example/a.png', 'http://logo.example/a.png'],
  ])('has a picture of the web or none: %j', (logoURI, logo) => {
    expect(parse(token({ logoURI })).entries[0]?.logo).toBe(logo)
  })
})
