import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { findPools, type PoolSearch, readPoolFacts } from './findPools.ts'

const addressOf = (place: number): Address => `0x${place.toString(16).padStart(40, '0')}`
const word = (value: number | bigint | Address): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`
const [factory, multicall]: readonly [Address, Address] = [addressOf(0xfa), addressOf(0xca)]
const search: PoolSearch = { factory, multicall, wants: () => true }

/** A contract that says to be a pool. */
type Claim = { readonly token0: Address; readonly token1: Address; readonly fee: number | Hex; readonly spacing: number }

/**
 * A node without a multicall, with a factory and contracts that say to be pools.
 * @param fees those of the factory, with their spacings; none: it does not know the question
 * @param pools `<token>-<token>-<fee>` -> the pool, for both orders of the tokens as a factory has it
 */
function nodeWith({ fees = {}, pools = {}, claims = {} }: Contracts) {
  const asked: string[] = []
  const answer = (to: Address, data: Hex): Hex => {
    const words = Array.from({ length: (data.length - 10) / 64 }, (_, i) => BigInt(`0x${data.slice(10 + 64 * i, 74 + 64 * i)}`))
    if (to === factory && data.startsWith('0x22afcccb')) return word(fees[Number(words[0])] ?? 0)
    if (to === factory && data.startsWith('0x1698ee82')) {
      const [a, b, fee] = words.map(Number)
      asked.push(`${a}-${b}-${fee}`)
      return word(pools[`${a}-${b}-${fee}`] ?? pools[`${b}-${a}-${fee}`] ?? 0)
    }
    const claim = claims[to]
    if (!claim) return '0x'
    if (data === '0x0dfe1681') return word(claim.token0)
    if (data === '0xd21220a7') return word(claim.token1)
    if (data === '0xddca3f43') return typeof claim.fee === 'number' ? word(claim.fee) : claim.fee
    return word(claim.spacing)
  }
  const forward = async (_method: string, params: unknown) => {
    const [{ to, data }] = params as [{ to: Address; data: Hex }]
    return to === multicall ? '0x' : answer(to, data)
  }
  return { forward, asked }
}

type Contracts = {
  readonly fees?: Readonly<Record<number, number>>
  readonly pools?: Readonly<Record<string, Address>>
  readonly claims?: Readonly<Record<Address, Claim>>
}

const find = (node: ReturnType<typeof nodeWith>, tokens: readonly number[], quotes: readonly number[]) =>
  findPools(node, search, { tokens: tokens.map(addressOf), quotes: quotes.map(addressOf) })

describe('pools that the factory names', () => {
  it('are those of every pair of tokens, in the fees that it has', async () => {
    const node = nodeWith({ fees: { 500: 10, 3000: 60 }, pools: { '1-2-500': addressOf(0xa1), '2-3-3000': addressOf(0xa2) } })
    expect(await find(node, [2, 3], [1])).toEqual([addressOf(0xa1), addressOf(0xa2)])
    expect(node.asked).toEqual(['1-2-500', '1-2-3000', '1-3-500', '1-3-3000', '2-3-500', '2-3-3000'])
  })

  it('are asked for in the usual fees of a factory that does not say which it has', async () => {
    const node = nodeWith({})
    expect(await find(node, [2], [1])).toEqual([])
    expect(node.asked).toEqual(['1-2-500', '1-2-3000', '1-2-10000'])
  })

  it('are asked for once for a token that is also a quote, and are named once', async () => {
    const node = nodeWith({ fees: { 500: 10 }, pools: { '1-2-500': addressOf(0xa1) } })
    expect(await find(node, [1, 2, 2], [1])).toEqual([addressOf(0xa1)])
    expect(node.asked).toEqual(['1-2-500'])
  })

  it('are asked for with a quote only where all pairs are too many', async () => {
    // 142 tokens have 10,011 pairs, of which 141 are with the quote.
    const node = nodeWith({ fees: { 500: 10 } })
    await find(
      node,
      Array.from({ length: 141 }, (_, i) => i + 2),
      [1],
    )
    expect([node.asked.length, node.asked.every((pair) => pair.startsWith('1-'))]).toEqual([141, true])
  })
})

describe('a contract that says to be a pool', () => {
  const [pool, claim] = [addressOf(0xa1), { token0: addressOf(1), token1: addressOf(2), fee: 500, spacing: 10 }]
  const made = { '1-2-500': pool }
  const facts = { address: pool, token0: addressOf(1), token1: addressOf(2), fee: 500, tickSpacing: 10 }
  const read = (node: ReturnType<typeof nodeWith>, changes: Partial<PoolSearch> = {}, addresses = [pool]) =>
    readPoolFacts(node, { ...search, ...changes }, addresses)

  it('is one where the factory calls it its own', async () => {
    expect(await read(nodeWith({ pools: made, claims: { [pool]: claim } }))).toEqual([facts])
  })

  it('is none where the factory has another pool of these tokens and this fee, or none', async () => {
    const impostor = addressOf(0xbb)
    const node = nodeWith({
      pools: made,
      claims: { [pool]: claim, [impostor]: claim, [addressOf(0xbc)]: { ...claim, fee: 3_000 } },
    })
    expect(await read(node, {}, [impostor, pool, addressOf(0xbc)])).toEqual([facts])
  })

  it('is left out where the index does not want its tokens', async () => {
    const node = nodeWith({ pools: made, claims: { [pool]: claim } })
    expect(await read(node, { wants: (token0) => token0 !== addressOf(1) })).toEqual([])
  })

  it.each<[string, Partial<Claim>, string]>([
    ['a spacing of none', { spacing: 0 }, '3-4-500'],
    ['a spacing that is no small number', { spacing: 2 ** 24 }, '3-4-500'],
    ['no first token', { token0: addressOf(0) }, '0-4-500'],
    ['a fee that is no number', { fee: '0x' }, '3-4-0'],
  ])('is left out with %s, whatever the factory says, and no other with it', async (_name, change, pair) => {
    const broken = addressOf(0xb0)
    const claims = { [broken]: { ...claim, token0: addressOf(3), token1: addressOf(4), ...change }, [pool]: claim }
    expect(await read(nodeWith({ pools: { ...made, [pair]: broken }, claims }), {}, [broken, pool])).toEqual([facts])
  })

  it('is left out where nothing answers at its address', async () => {
    expect(await read(nodeWith({ pools: made }))).toEqual([])
  })
})
