import { type Address, oneE18 } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { PositionChange } from '../../store/origins.ts'
import { findParties } from './findParties.ts'
import type { Trade } from './foldPositions.ts'
import type { TradedPool } from './readTradedPools.ts'

const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [pool, other, token, quote] = [address('f0'), address('f1'), address('e0'), address('e1')]
const [ann, bob, router, manager, vault] = [address('a1'), address('b1'), address('c1'), address('d1'), address('d2')]

const sent = { blockNumber: 1, logIndex: 0, txHash: '0x1', timestampSeconds: 0 } as const
const trade = (sender: Address, origin: Address | undefined, dollars = 1n): Trade => ({
  ...{ ...sent, sender, recipient: sender, origin, usdE18: dollars * oneE18, tickBefore: 0 },
  ...{ amount0: 1n, amount1: -1n, tick: 0 },
})
const change = (owner: Address, origin: Address | undefined, facts: Partial<PositionChange> = {}): PositionChange => ({
  ...{ ...sent, owner, sender: owner, origin, tickLower: -10, tickUpper: 10, delta: 5n, usdE18: oneE18 },
  ...facts,
})
const poolOf = (trades: readonly Trade[], changes: readonly PositionChange[] = [], at = pool): TradedPool => ({
  ...{ address: at, token0: token, token1: quote, trades, changes, tick: 0 },
})

describe('who acts, where the network names its routers and position managers', () => {
  const periphery = new Set([router, manager])

  it('is the wallet that signed behind one of these, and any other contract itself', () => {
    const parties = findParties([poolOf([])], periphery)
    expect(parties.traderOf({ sender: router, origin: ann })).toBe(ann)
    expect(parties.traderOf({ sender: vault, origin: ann })).toBe(vault)
    expect(parties.providerOf({ owner: manager, origin: ann })).toBe(ann)
    expect(parties.providerOf({ owner: vault, origin: ann })).toBe(vault)
  })

  it('is not known of a swap whose signer is not, not even where the contract is known', () => {
    const parties = findParties([poolOf([])], periphery)
    expect(parties.traderOf({ sender: vault, origin: undefined })).toBeUndefined()
    expect(parties.providerOf({ owner: manager, origin: undefined })).toBeUndefined()
    // A position has an owner, whoever signed.
    expect(parties.providerOf({ owner: vault, origin: undefined })).toBe(vault)
  })
})

describe('who acts, where the network names none', () => {
  it('is the contract that both provides liquidity and swaps, be it in two pools', () => {
    const pools = [poolOf([trade(vault, ann)]), poolOf([], [change(vault, ann)], other)]
    const parties = findParties(pools, undefined)
    expect(parties.traderOf({ sender: vault, origin: ann })).toBe(vault)
    expect(parties.traderOf({ sender: router, origin: ann })).toBe(ann)
  })

  it('is not a router that somebody gave a position to: it never made or took one itself', () => {
    const given = change(router, bob, { sender: bob })
    expect(findParties([poolOf([trade(router, ann)], [given])], undefined).traderOf({ sender: router, origin: ann })).toBe(ann)
    // Who takes liquidity out has called for it, whatever the event says of the sender.
    const taken = change(router, bob, { sender: undefined, delta: -5n })
    expect(findParties([poolOf([trade(router, ann)], [taken])], undefined).traderOf({ sender: router, origin: ann })).toBe(router)
  })
})

describe('a swap of somebody who provides liquidity of the pool', () => {
  const pools = [poolOf([trade(vault, ann)], [change(vault, ann)]), poolOf([], [], other)]
  const { isOfProvider } = findParties(pools, new Set([router, manager]))

  it('is one that the provider makes, or is paid out by', () => {
    expect(isOfProvider(pool, { sender: vault, recipient: bob })).toBe(true)
    expect(isOfProvider(pool, { sender: router, recipient: vault })).toBe(true)
    expect(isOfProvider(pool, { sender: bob, recipient: bob })).toBe(false)
  })

  it('is none in a pool of which it has no liquidity', () => {
    expect(isOfProvider(other, { sender: vault, recipient: vault })).toBe(false)
  })

  it('is none through a position manager, whose positions are those of many', () => {
    const managed = findParties([poolOf([], [change(manager, ann)])], new Set([router, manager]))
    expect(managed.isOfProvider(pool, { sender: router, recipient: manager })).toBe(false)
  })
})

describe('a contract and the wallet behind it', () => {
  const linksOf = (...acts: readonly (Trade | PositionChange)[]) => {
    const trades = acts.filter((act) => 'recipient' in act)
    const changes = acts.filter((act) => 'delta' in act)
    return findParties([poolOf(trades, changes)], new Set([router])).links
  }

  it('are one where the wallet signs more than half of its dollars, in trades and liquidity together', () => {
    expect(linksOf(trade(vault, ann, 3n), trade(vault, bob, 2n))).toEqual([[vault, ann]])
    const brought = change(vault, bob, { usdE18: 2n * oneE18 })
    expect(linksOf(trade(vault, ann, 3n), trade(vault, bob, 2n), brought)).toEqual([[vault, bob]])
  })

  it('are not one at just half, nor by the number of acts: a stranger may call it as often as he likes', () => {
    expect(linksOf(trade(vault, ann, 2n), trade(vault, bob, 2n))).toEqual([])
    expect(linksOf(trade(vault, ann, 9n), trade(vault, bob), trade(vault, bob), trade(vault, bob))).toEqual([[vault, ann]])
  })

  it('count what is taken out as what it is worth, not as less than nothing', () => {
    const taken = change(vault, ann, { delta: -5n, usdE18: -4n * oneE18 })
    expect(linksOf(taken, trade(vault, bob, 3n))).toEqual([[vault, ann]])
  })

  it('are none where the wallet acts for itself, or where nobody knows who signed', () => {
    expect(linksOf(trade(router, ann, 9n), trade(ann, ann, 9n), trade(vault, undefined, 9n))).toEqual([])
  })
})
