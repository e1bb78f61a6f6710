import { type Address, Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { FakeEvent } from '../../chain/fakeChain.ts'
import {
  alpha,
  alphaPool,
  beta,
  betaPool,
  factory,
  manager,
  provide,
  sqrtPrices,
  swap,
  usdc,
  wrapped,
  wrappedPool,
} from '../../testing/market.ts'
import {
  createOrganicMarket,
  handOn,
  openDeepChain,
  otherProvider,
  remove,
  through,
  trade,
  wallet,
} from '../../testing/organicMarket.ts'
import { createTempStores } from '../../testing/tempStores.ts'

// What others may try in order to make honest volume count nothing.

const { open, measureInTurns } = createOrganicMarket(createTempStores())
const [buyer, seller, giver, taker, ownPool] = [wallet('c1'), wallet('c2'), wallet('c3'), wallet('c9'), wallet('a5')]
const e18 = 10n ** 18n
const firstProvider = wallet('77')

/** A pool of one's own where a smallest unit of a token costs a millionth of a dollar, and 15,000 dollars turned over in it again and again. */
function turnOver(token: Address, times: number): FakeEvent[] {
  const price = 2n ** 96n
  const usd = 15_000n * 10n ** 6n
  const range = { tickLower: -887_220, tickUpper: 887_220, amount: 10n ** 6n, amount0: usd, amount1: 1n }
  return [
    { address: factory, name: 'PoolCreated', args: { token0: usdc, token1: token, fee: 100, tickSpacing: 1, pool: ownPool } },
    { address: ownPool, name: 'Initialize', args: { sqrtPriceX96: price, tick: 0 } },
    { address: ownPool, name: 'Mint', args: { owner: giver, sender: giver, ...range }, from: giver },
    ...Array.from({ length: times }, (_, i): FakeEvent => {
      const amount = i % 2 === 0 ? usd : -usd
      const made = swap(ownPool, price, amount, -amount, 10n ** 6n)
      return { ...made, args: { ...made.args, sender: giver, recipient: giver }, from: giver }
    }),
  ]
}

describe('transfers', () => {
  it('are worth what the index says, whatever somebody pays in a pool of their own', async () => {
    const chain = openDeepChain()
    chain.mine([trade(buyer, 4_000n), trade(seller, -4_000n), trade(giver, 4n), ...turnOver(wrapped, 200)])
    // A millionth of a WNAT is a quarter of a cent, which the buyer got and may have paid with.
    chain.mine([handOn(wrapped, giver, buyer, 10n ** 12n)])
    expect((await measureInTurns(chain)).dollars).toBeCloseTo(1_000.4975, 4)
  })

  it('join no providers by a gift of little to each, whatever somebody pays in a pool of their own', async () => {
    const chain = openDeepChain()
    chain.mine([trade(buyer, 4_000n), trade(seller, -4_000n), ...turnOver(beta, 300)])
    chain.mine([firstProvider, otherProvider].map((to) => handOn(beta, giver, to, 500n * e18)))
    expect(await measureInTurns(chain)).toMatchObject({ dollars: 1_000, owner: { millionths: 500_000n } })
  })
})

describe('positions', () => {
  const manages = { periphery: [manager] }

  it('that change hands make nobody the owner of what is left', async () => {
    const chain = openDeepChain()
    // More than both have, and gone again by somebody who was given it.
    const size = 2n * e18 + 1n
    chain.mine([through(provide(betaPool, giver, size), manager), through(remove(betaPool, taker, size), manager)])
    chain.mine([trade(buyer, 4_000n)])
    // Of three who may have it, the largest has a third.
    expect(await measureInTurns(chain, manages)).toMatchObject({ dollars: 666.666, owner: { millionths: 333_333n } })
  })
})

describe('crowds of contracts', () => {
  const router = wallet('d2')
  const manages = { periphery: [router, manager] }
  const numbered = (i: number) => `0x${i.toString(16).padStart(40, '0')}` as Address
  /** Of 500 dollars each, in a pool of two who have a half each: 5,000 that count. */
  const buyers = Array.from({ length: 20 }, (_, i) =>
    through(trade(numbered(0x1_000 + i), 2_000n), router, numbered(0x1_000 + i)),
  )

  it('that buy and sell again take no place of those whose trades count', async () => {
    const chain = openDeepChain()
    const both = Array.from({ length: 401 }, (_, i) =>
      [1_004n, -1_004n].map((n) => through(trade(giver, n), numbered(0x100_000 + i))),
    )
    chain.mine([...buyers, ...both.flat().map((one) => ({ ...one, transaction: 1 }))])
    expect(await measureInTurns(chain, manages)).toMatchObject({ dollars: 5_000 })
  })

  it('that hand on what they buy to each other take none either, however many there are', async () => {
    const chain = openDeepChain()
    const pairs = Array.from({ length: 401 }, (_, i) => {
      const [from, to] = [numbered(0x100_000 + 2 * i), numbered(0x100_001 + 2 * i)]
      const tokens = 2_008n
      return [through(trade(giver, tokens), from), handOn(beta, from, to, tokens * e18), through(trade(giver, -tokens), to)]
    })
    chain.mine([...buyers, ...pairs.flat().map((one) => ({ ...one, transaction: 1 }))])
    expect(await measureInTurns(chain, manages)).toMatchObject({ dollars: 5_000 })
  })
})

describe('too many transfers for the node', () => {
  it('of two wallets take away no other wallet and no other token', async () => {
    const [router, flooder] = [wallet('d2'), wallet('c4')]
    const chain = openDeepChain()
    const alphaFor = (from: Address) => {
      const made = through(swap(alphaPool, sqrtPrices.alphaAt6, -40n * 10n ** 8n, 10n ** 17n), router, from)
      return { ...made, from }
    }
    chain.mine([through(provide(alphaPool, otherProvider, e18 / 10n), manager)])
    chain.mine([buyer, giver, flooder].map((from) => through(trade(from, from === buyer ? 4_000n : 40n), router, from)))
    chain.mine([alphaFor(buyer), alphaFor(seller)])
    chain.mine(
      Array.from({ length: 41 }, (_, i) => (i % 2 === 0 ? handOn(usdc, giver, flooder, 1n) : handOn(usdc, flooder, giver, 1n))),
    )
    const getLogs = chain.methods.get('eth_getLogs') as (params: unknown) => unknown[]
    chain.methods.set('eth_getLogs', (params) => {
      const logs = getLogs(params)
      if (logs.length > 10) throw new Failure('rpc-range-too-wide', 'query returned more than 10 results', { retryable: true })
      return logs
    })
    const { organic } = await open(chain, 'sqlite', { periphery: [router, manager] })
    const { reading, failure } = await organic.takeTurn()
    const dollarsOf = (token: Address) => Number((reading?.tokens.get(token)?.usdE18 ?? 0n) / 10n ** 18n)
    // 1,000 and 2 x 250 dollars, of which a half counts each.
    expect([failure, dollarsOf(beta), dollarsOf(alpha)]).toEqual([undefined, 500, 250])
  })

  it('of one token stop no other token’s', async () => {
    const chain = openDeepChain()
    chain.mine([provide(wrappedPool, otherProvider, e18 / 10n)])
    const forNative = swap(wrappedPool, sqrtPrices.wrappedAt2500, 1_000n * 10n ** 6n, -4n * 10n ** 17n, e18)
    chain.mine([
      trade(buyer, 8_000n),
      { ...forNative, from: seller, args: { ...forNative.args, sender: seller, recipient: seller } },
    ])
    const getLogs = chain.methods.get('eth_getLogs') as (params: unknown) => unknown[]
    let refused = 0
    chain.methods.set('eth_getLogs', (params) => {
      const [{ address }] = params as [{ address: readonly Address[] }]
      if (!address.includes(beta)) return getLogs(params)
      refused += 1
      throw new Failure('rpc-range-too-wide', 'too many results', { retryable: true })
    })
    let nowMs = 0
    const { organic } = await open(chain, 'sqlite', { nowMs: () => nowMs })
    const { reading, failure } = await organic.takeTurn()
    expect([reading?.tokens.get(wrapped)?.isChecked, reading?.tokens.get(beta)?.isChecked]).toEqual([true, undefined])
    expect(failure).toMatchObject({ code: 'rpc-range-too-wide' })
    // A minute later, then two more.
    const after = async (ms: number) => {
      nowMs += ms
      const before = refused
      await organic.takeTurn()
      return refused > before
    }
    expect([await after(59_999), await after(1), await after(119_999), await after(1)]).toEqual([false, true, false, true])
  })
})
