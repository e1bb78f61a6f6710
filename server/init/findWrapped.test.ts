import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { listWrapped, type WrappedQuestion } from './findWrapped.ts'
import type { SurveyedPool } from './readPools.ts'
import { mintTopic } from './recentActivity.ts'

const addressOf = (place: number): Address => `0x${place.toString(16).padStart(40, '0')}`
const word = (value: number | bigint | Address): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`
const [factory, foreign, manager, pool] = [0xfa, 0xfb, 0x78, 0xa1].map(addressOf) as [Address, Address, Address, Address]
/** Of `factory()`, `WETH9()` and `totalSupply()`. */
const selectors = { factory: '0xc45a0155', wrapped: '0x4aa4a4fc', supply: '0x18160ddd' }

/** What stands at an address: how many coins it holds, and what it says of itself. */
type Contract = {
  readonly coins?: number | string
  readonly factory?: Address
  readonly wrapped?: Address
  readonly supply?: number
}

/** A node with these contracts, by the last byte of their addresses. @param minters who have added liquidity to pools, in the logs */
function nodeWith(contracts: Readonly<Record<number, Contract>>, minters: readonly Address[] = []) {
  const asked: string[] = []
  const forward = async (method: string, params: unknown): Promise<unknown> => {
    asked.push(method)
    const [first] = params as [Address | { to: Address; data: Hex; fromBlock: Hex; address: readonly Address[] }]
    if (method === 'eth_getLogs' && typeof first === 'object') {
      const place = { address: first.address[0], data: '0x', blockNumber: '0x1', blockHash: word(1), transactionHash: word(1) }
      return minters.map((owner, i) => ({ ...place, topics: [mintTopic, word(owner)], logIndex: `0x${i}` }))
    }
    const own = contracts[Number(typeof first === 'string' ? first : first.to)] ?? {}
    if (method === 'eth_getBalance') return typeof own.coins === 'string' ? own.coins : `0x${(own.coins ?? 0).toString(16)}`
    const data = typeof first === 'object' ? first.data : '0x'
    const answer = { [selectors.factory]: own.factory, [selectors.wrapped]: own.wrapped, [selectors.supply]: own.supply }[data]
    return answer === undefined ? '0x' : word(answer)
  }
  return { forward, asked }
}

/** A pool of these tokens, of which only the tokens are looked at. */
const poolOf = (token0: number, token1: number): SurveyedPool => ({
  ...{ address: pool, token0: addressOf(token0), token1: addressOf(token1), fee: 500 },
  ...{ sqrtPriceX96: 1n, liquidity: 1n },
})

const list = (node: ReturnType<typeof nodeWith>, changes: Partial<WrappedQuestion> = {}) =>
  listWrapped(node, node, {
    factory,
    pools: [poolOf(1, 2)],
    providers: [manager],
    createdAt: 1,
    head: 100,
    width: 1_000,
    ...changes,
  })

describe('the wrapped coin', () => {
  it('is what the position manager of the exchange pays with, though more tokens of it are there than coins', async () => {
    const node = nodeWith({ 120: { factory, wrapped: addressOf(2) }, 2: { coins: 5, supply: 9 } })
    expect(await list(node)).toEqual([{ address: addressOf(2), manager, coinsRaw: 5n, isBacked: false }])
  })

  it('is not what the position manager of another exchange pays with', async () => {
    expect(await list(nodeWith({ 120: { factory: foreign, wrapped: addressOf(2) }, 2: { coins: 5, supply: 9 } }))).toEqual([])
  })

  it('is a token of the pools that holds a coin for each of its own, where no manager names one', async () => {
    const node = nodeWith({ 1: { coins: 7, supply: 7 }, 2: { coins: 6, supply: 7 } })
    expect(await list(node)).toEqual([{ address: addressOf(1), manager: undefined, coinsRaw: 7n, isBacked: true }])
  })

  it('is first the one that holds the most coins: anybody may write a contract that names another', async () => {
    const node = nodeWith({ 120: { factory, wrapped: addressOf(3) }, 3: { coins: 1, supply: 1 }, 2: { coins: 900, supply: 900 } })
    expect((await list(node)).map(({ address }) => address)).toEqual([addressOf(2), addressOf(3)])
  })

  it.each<[string, Contract]>([
    ['holds a coin and has none of its own', { coins: 1, supply: 0 }],
    ['holds no coin', { coins: 0, supply: 0 }],
    ['does not say how many there are of it', { coins: 5 }],
    ['has a balance that is no number', { coins: '0xzz', supply: 1 }],
  ])('is no token that %s', async (_name, contract) => {
    expect(await list(nodeWith({ 2: contract }))).toEqual([])
  })

  it('is looked for with those who added the first liquidity, where nobody did lately', async () => {
    const node = nodeWith({ 120: { factory, wrapped: addressOf(2) } }, [manager, manager])
    expect(await list(node, { providers: [] })).toMatchObject([{ address: addressOf(2), manager }])
    expect(await list(node, { providers: [], createdAt: undefined })).toEqual([])
  })

  it('is looked for among twenty tokens at most, those of the most pools first', async () => {
    const crowd = [...Array.from({ length: 15 }, (_, i) => poolOf(100 + 2 * i, 101 + 2 * i)), poolOf(1, 2), poolOf(1, 3)]
    const node = nodeWith({ 1: { coins: 5, supply: 5 }, 129: { coins: 9, supply: 9 } })
    expect((await list(node, { pools: crowd })).map(({ address }) => address)).toEqual([addressOf(1)])
    expect(node.asked.filter((method) => method === 'eth_getBalance').length).toBe(20)
  })
})
