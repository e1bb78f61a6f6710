import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { FakeEvent } from '../../chain/fakeChain.ts'
import { beta, betaPool, factory, manager, provide, swap, usdc, wrapped } from '../../testing/market.ts'
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

const { measureInTurns } = createOrganicMarket(createTempStores())
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
