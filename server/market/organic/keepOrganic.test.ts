import { type Address, Failure, sqrtPriceX96AtTick } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { FakeChain, FakeEvent } from '../../chain/fakeChain.ts'
import { followToHead } from '../../testing/followToHead.ts'
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
  wrappedPool,
} from '../../testing/market.ts'
import {
  createOrganicMarket,
  handOn,
  openChain,
  otherProvider,
  remove,
  through,
  trade,
  wallet,
} from '../../testing/organicMarket.ts'
import { createTempStores, engines } from '../../testing/tempStores.ts'

const { open, measure } = createOrganicMarket(createTempStores())
const [provider, other, buyer, seller] = [wallet('b1'), otherProvider, wallet('c1'), wallet('c2')]
const e18 = 10n ** 18n

const secondPool = wallet('a5')

/** Another pool of BETA, at the same price and with a lower fee. */
function openSecondPool(from: Address): FakeEvent[] {
  const made = { token0: usdc, token1: beta, fee: 500, tickSpacing: 10, pool: secondPool }
  return [
    { address: factory, name: 'PoolCreated', args: made },
    { address: secondPool, name: 'Initialize', args: { sqrtPriceX96: sqrtPrices.betaAtQuarter, tick: 0 } },
    provide(secondPool, from, e18),
  ]
}

describe('organic volume', () => {
  it.each(engines)(
    'counts what honest wallets buy and sell, by the part of the fees that others than the largest provider earn, on %s',
    async (engine) => {
      const chain = openChain({ isShared: true })
      chain.mine([trade(buyer, 4_000n), trade(seller, -2_000n)])
      // 1,000 and 500 dollars, half of the liquidity each.
      expect(await measure(chain, engine)).toEqual({ dollars: 750, coverage: 1, failure: undefined })
    },
  )

  it('counts nothing in a pool of one’s own, through whatever wallets', async () => {
    const chain = openChain({ isShared: false })
    chain.mine([trade(buyer, 4_000n), trade(seller, -2_000n)])
    expect(await measure(chain)).toMatchObject({ dollars: 0, coverage: 1 })
  })

  it('counts nothing of what a wallet buys and sells again', async () => {
    const chain = openChain({ isShared: true })
    for (let i = 0; i < 10; i += 1) chain.mine([trade(buyer, 4_000n), trade(buyer, -4_000n)])
    expect(await measure(chain)).toMatchObject({ dollars: 0, coverage: 1 })
  })

  it.each([
    ['the tokens', beta, 4_000n * e18],
    ['the money', usdc, 1_000n * 10n ** 6n],
  ])('counts nothing when two wallets buy and sell and hand on %s', async (_, token, value) => {
    const chain = openChain({ isShared: true })
    const [from, to] = token === beta ? [buyer, seller] : [seller, buyer]
    chain.mine([trade(buyer, 4_000n), handOn(token, from, to, value), trade(seller, -4_000n)])
    expect(await measure(chain)).toMatchObject({ dollars: 0, coverage: 1 })
  })

  it('counts what wallets that hand on a part did with the rest', async () => {
    const chain = openChain({ isShared: true })
    chain.mine([trade(buyer, 4_000n), handOn(beta, buyer, seller, 1_000n * e18), trade(seller, -4_000n)])
    expect(await measure(chain)).toMatchObject({ dollars: 750, coverage: 1 })
  })

  it('lets nobody join two strangers by a transfer of nothing, or of another token', async () => {
    const chain = openChain({ isShared: true })
    chain.mine([trade(buyer, 4_000n), handOn(beta, buyer, seller, 0n), handOn(alpha, buyer, seller, 1n), trade(seller, -4_000n)])
    expect(await measure(chain)).toMatchObject({ dollars: 1_000, coverage: 1 })
  })

  it('lets a gift to strangers take away no more than it is worth', async () => {
    const chain = openChain({ isShared: true })
    const giver = wallet('c3')
    chain.mine([trade(buyer, 4_000n), trade(seller, -4_000n), trade(giver, 4n)])
    const dust = [buyer, seller].flatMap((to) => [handOn(usdc, giver, to, 1n), handOn(beta, giver, to, 1n)])
    chain.mine(dust)
    expect((await measure(chain)).dollars).toBeCloseTo(1_000.5, 4)
    // 100 dollars to the buyer, who seems to have paid so much less.
    chain.mine([handOn(usdc, giver, buyer, 100n * 10n ** 6n)])
    expect((await measure(chain)).dollars).toBeCloseTo(900.5, 4)
  })

  it('counts two providers as one when one handed the other a tenth of what either provides', async () => {
    const chain = openChain({ isShared: false })
    chain.mine([through(remove(betaPool, wallet('77'), e18), manager)])
    chain.mine([provide(betaPool, provider, e18), provide(betaPool, other, e18)])
    chain.mine([trade(buyer, 4_000n), trade(seller, 4_000n)])
    expect(await measure(chain)).toMatchObject({ dollars: 1_000 })
    // Each brought a USDC and a BETA, of $0.25.
    chain.mine([handOn(beta, provider, other, (e18 * 49n) / 100n)])
    expect(await measure(chain)).toMatchObject({ dollars: 1_000 })
    chain.mine([handOn(beta, other, provider, (e18 * 2n) / 100n)])
    expect(await measure(chain)).toMatchObject({ dollars: 0 })
  })

  it('counts next to nothing of a trade through liquidity that is there for that trade alone', async () => {
    const chain = openChain({ isShared: true })
    const own = 998n * e18
    const leave = through(remove(betaPool, buyer, own), manager)
    chain.mine([through(provide(betaPool, buyer, own), manager), trade(buyer, 4_000n), leave])
    // Of 1,000 dollars 2 in 1,000: what the two others had.
    expect(await measure(chain)).toMatchObject({ dollars: 2, coverage: 1 })
  })

  it('counts a trade by the range on its way that is least of others', async () => {
    const chain = openChain({ isShared: true })
    // BETA's pool is at tick 290,187.
    const own = { tickLower: 290_220, tickUpper: 290_280 }
    chain.mine([provide(betaPool, provider, 998n * e18, own)])
    const across = trade(buyer, 4_000n)
    chain.mine([{ ...across, args: { ...across.args, sqrtPriceX96: sqrtPriceX96AtTick(290_340) } }])
    expect(await measure(chain)).toMatchObject({ dollars: 2 })
  })

  it('leaves out and tells what the node does not say the sender of', async () => {
    const chain = openChain({ isShared: true })
    chain.mine([trade(buyer, 4_000n), trade(seller, -1_000n)])
    const answer = chain.methods.get('eth_getTransactionByHash') as (params: unknown) => { from?: Address } | null
    chain.methods.set('eth_getTransactionByHash', (params) => {
      const transaction = answer(params)
      return transaction?.from === seller ? null : transaction
    })
    expect(await measure(chain)).toMatchObject({ dollars: 500, coverage: 0.8 })
  })

  it('knows nothing when the node refuses transactions, and fails no turn', async () => {
    const chain = openChain({ isShared: true })
    chain.mine([trade(buyer, 4_000n)])
    chain.methods.delete('eth_getTransactionByHash')
    const found = await measure(chain)
    expect(found).toMatchObject({ dollars: undefined, coverage: undefined })
    expect(found.failure).toMatchObject({ code: 'rpc-refused' })
  })

  it('counts nothing of a token whose transfers the node does not tell', async () => {
    const chain = openChain({ isShared: true })
    chain.mine([trade(buyer, 4_000n), trade(seller, -4_000n)])
    chain.methods.delete('eth_getLogs')
    expect(await measure(chain)).toMatchObject({ dollars: undefined, failure: { code: 'rpc-refused' } })
  })

  it('takes no other transaction for the one asked for', async () => {
    const chain = openChain({ isShared: true })
    chain.mine([trade(buyer, 4_000n)])
    chain.methods.set('eth_getTransactionByHash', () => ({ hash: `0x${'9'.repeat(64)}`, from: buyer }))
    expect((await measure(chain)).failure).toMatchObject({ code: 'rpc-invalid' })
  })

  it('asks about each transaction once, and keeps who sent it', async () => {
    const chain = openChain({ isShared: true })
    chain.mine([trade(buyer, 4_000n), trade(seller, -2_000n)])
    const { store, organic } = await open(chain)
    await organic.takeTurn()
    chain.methods.set('eth_getTransactionByHash', () => {
      throw new Failure('rpc-refused', 'asked again')
    })
    const { reading, failure } = await organic.takeTurn()
    expect([reading?.tokens.get(beta)?.usdE18, failure]).toEqual([750n * e18, undefined])
    const rows = await store.read.selectFrom('origins').select(['origin', 'has_liquidity']).orderBy('origin').execute()
    // Of quiet pools the changes of liquidity alone: those of ALPHA and of WNAT.
    const made = { origin: wallet('77'), has_liquidity: 1 }
    expect(rows).toEqual([
      made,
      made,
      made,
      { origin: other, has_liquidity: 1 },
      { origin: buyer, has_liquidity: 0 },
      { origin: seller, has_liquidity: 0 },
    ])
  })

  it('counts a new wallet only when its transfers were looked for, a minute later at the latest', async () => {
    const chain = openChain({ isShared: true })
    chain.mine([trade(buyer, 4_000n)])
    let nowMs = 0
    const { store, organic } = await open(chain, 'sqlite', { nowMs: () => nowMs })
    const turn = async () => (await organic.takeTurn()).reading?.tokens.get(beta)
    expect(await turn()).toEqual({ usdE18: 500n * e18, coverage: 1, isChecked: true })
    chain.mine([trade(seller, -4_000n)])
    await followToHead(chain, store)
    nowMs = 59_999
    expect(await turn()).toEqual({ usdE18: 500n * e18, coverage: 0.5, isChecked: true })
    nowMs = 60_000
    expect(await turn()).toEqual({ usdE18: 1_000n * e18, coverage: 1, isChecked: true })
  })

  it('counts nothing of what goes in through one pool of a token and out through another, be it one’s own', async () => {
    const chain = openChain({ isShared: true })
    chain.mine([...openSecondPool(buyer), trade(buyer, 4_000n), { ...trade(buyer, -4_000n), address: secondPool }])
    expect(await measure(chain)).toMatchObject({ dollars: 0, coverage: 1 })
  })

  it('counts nothing that is paid with a token that is no quote of the network', async () => {
    const chain = openChain({ isShared: true })
    const pool = wallet('a6')
    // ALPHA is worth 6.25 dollars, BETA a quarter: 40 of it for 1,000, in a pool with two providers.
    const priced = { sqrtPriceX96: 500_000n * 2n ** 96n, tick: 0 }
    chain.mine([
      { address: factory, name: 'PoolCreated', args: { token0: alpha, token1: beta, fee: 3_000, tickSpacing: 60, pool } },
      { address: pool, name: 'Initialize', args: priced },
      provide(pool, provider, e18),
      provide(pool, other, e18),
    ])
    const bought = swap(pool, priced.sqrtPriceX96, 40n * 10n ** 8n, -1_000n * e18, e18)
    chain.mine([{ ...bought, from: buyer }])
    expect(await measure(chain)).toMatchObject({ dollars: 0, coverage: 1 })
  })

  describe('through contracts', () => {
    const [vault, router, giver] = [wallet('d1'), wallet('d2'), wallet('d4')]
    const periphery = [router, manager]
    /** A pool of which two wallets have a half each, by way of a contract. */
    const openThrough = (contract: Address) => {
      const chain = openChain({ isShared: false })
      chain.mine([through(remove(betaPool, wallet('77'), e18), manager)])
      chain.mine([provider, other].map((from) => through(provide(betaPool, from, e18), contract)))
      return chain
    }
    const both = (contract: Address) => [trade(buyer, 4_000n), trade(seller, -4_000n)].map((one) => through(one, contract))

    it('counts wallets that provide and trade through the same contract as one', async () => {
      const chain = openThrough(vault)
      chain.mine(both(vault))
      expect(await measure(chain)).toMatchObject({ dollars: 0, coverage: 1 })
    })

    it('counts the wallets behind a position manager and a router that the network names each by itself', async () => {
      const chain = openThrough(manager)
      chain.mine(both(router))
      expect(await measure(chain, 'sqlite', { periphery })).toMatchObject({ dollars: 1_000, coverage: 1 })
    })

    it('counts those behind a contract that the network does not name as one provider', async () => {
      const chain = openThrough(vault)
      chain.mine(both(router))
      expect(await measure(chain, 'sqlite', { periphery })).toMatchObject({ dollars: 0 })
    })

    it('counts those behind a contract that the network does not name as one trader', async () => {
      const chain = openThrough(manager)
      chain.mine([...both(vault), through(trade(giver, 400n), vault)])
      // 4,400 bought and 4,000 sold: what is left is 100 dollars.
      expect(await measure(chain, 'sqlite', { periphery })).toMatchObject({ dollars: 50, coverage: 1 })
    })

    it('counts nothing of a swap that pays a provider of the pool', async () => {
      const chain = openThrough(manager)
      chain.mine([through(provide(betaPool, giver, 1n), vault), through(trade(buyer, 4_000n), router, vault)])
      expect(await measure(chain, 'sqlite', { periphery })).toMatchObject({ dollars: 0 })
    })

    it('takes nothing from a contract that its callers pay and that pays them', async () => {
      const chain = openThrough(manager)
      const paid = [handOn(usdc, buyer, vault, 1_000n * 10n ** 6n), handOn(beta, vault, buyer, 4_000n * e18)]
      chain.mine([through(trade(buyer, 4_000n), vault), through(trade(seller, 4_000n), vault), ...paid])
      expect(await measure(chain, 'sqlite', { periphery })).toMatchObject({ dollars: 1_000, coverage: 1 })
    })

    it('takes what was bought for another trader for handed on', async () => {
      const chain = openThrough(manager)
      chain.mine([through(trade(buyer, 4_000n), router, seller), through(trade(seller, -4_000n), router, buyer)])
      expect(await measure(chain, 'sqlite', { periphery })).toMatchObject({ dollars: 0, coverage: 1 })
    })

    it.each([
      ['named', periphery],
      ['not named', undefined],
    ])('lets nobody turn a router that is %s into a provider by a gift', async (_, named) => {
      const chain = openThrough(manager)
      chain.mine([
        through(provide(betaPool, giver, 1n), vault, router),
        through(trade(giver, 4n), vault, manager),
        ...both(router),
      ])
      const { dollars } = await measure(chain, 'sqlite', named ? { periphery: named } : {})
      expect(dollars).toBeGreaterThan(999)
    })
  })

  it('knows the largest provider of each pool, quiet ones too', async () => {
    const chain = openChain({ isShared: true })
    chain.mine([provide(betaPool, other, 2n * e18), provide(alphaPool, other, 3n * 10n ** 17n)])
    const owners = (await (await open(chain)).organic.takeTurn()).reading?.owners
    expect(owners?.get(betaPool)).toEqual({ group: other, provider: other, millionths: 750_000n })
    expect(owners?.get(alphaPool)).toEqual({ group: other, provider: other, millionths: 750_000n })
    expect(owners?.get(wrappedPool)).toEqual({ group: wallet('77'), provider: wallet('77'), millionths: 1_000_000n })
  })

  it('names the wallet with most in a pool, when several are one provider', async () => {
    const chain = openChain({ isShared: false })
    chain.mine([provide(betaPool, other, e18 / 9n)])
    chain.mine([trade(buyer, 4_000n), handOn(usdc, wallet('77'), other, 10n ** 12n)])
    const owners = (await (await open(chain)).organic.takeTurn()).reading?.owners
    expect(owners?.get(betaPool)).toMatchObject({ provider: wallet('77'), millionths: 1_000_000n })
  })

  it('names the lowest fee of the pools that could be used', async () => {
    const feeMin = async (chain: FakeChain) => (await (await open(chain)).organic.takeTurn()).reading?.feeMin
    const chain = openChain({ isShared: true })
    expect(await feeMin(chain)).toBe(3_000)
    chain.mine(openSecondPool(buyer))
    expect(await feeMin(chain)).toBe(500)
  })
})
