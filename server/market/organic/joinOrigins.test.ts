import type { Address, Hex } from '@chainboard/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLargest } from './createLargest.ts'
import { joinOrigins, type Link } from './joinOrigins.ts'
import { pickAsked } from './pickAsked.ts'
import type { TradedPool } from './readTradedPools.ts'

describe('wallets that are linked', () => {
  it('are one group, also through others, whichever way they handed something', () => {
    const groupOf = joinOrigins([
      ['a', 'b'],
      ['c', 'b'],
      ['d', 'e'],
    ])
    expect(new Set(['a', 'b', 'c'].map(groupOf)).size).toBe(1)
    expect(groupOf('d')).toBe(groupOf('e'))
    expect(groupOf('a')).not.toBe(groupOf('d'))
    expect(groupOf('stranger')).toBe('stranger')
  })

  it('are the same groups in whatever order their links come, and with circles in them', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }))),
        fc.infiniteStream(fc.nat()),
        (pairs, order) => {
          const links = pairs.map(([from, to]): Link => [`w${from}`, `w${to}`])
          const shuffled = links.map((link) => ({ link, at: order.next().value })).sort((x, y) => x.at - y.at)
          const [one, other] = [joinOrigins(links), joinOrigins(shuffled.map(({ link }) => link))]
          // Reachable, worked out by going from each to its neighbours until nothing is added.
          const reach = (start: string) => {
            const found = new Set([start])
            for (const at of found)
              for (const [from, to] of links) {
                if (from === at) found.add(to)
                if (to === at) found.add(from)
              }
            return found
          }
          for (let i = 0; i <= 12; i += 1)
            for (const groupOf of [one, other]) {
              const own = [...Array(13).keys()].map((n) => `w${n}`).filter((each) => groupOf(each) === groupOf(`w${i}`))
              expect(new Set(own)).toEqual(reach(`w${i}`))
            }
        },
      ),
      { numRuns: 50 },
    ))
})

describe('the largest of many', () => {
  it('are those, in the order in which they came, of two of a size the first', () =>
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 9n }), { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (sizes, max) => {
        const largest = createLargest<{ size: bigint; place: number }>(max, ({ size }) => size)
        const all = sizes.map((size, place) => ({ size, place }))
        for (const one of all) largest.add(one)
        const wanted = all
          .toSorted((a, b) => Number(b.size - a.size) || a.place - b.place)
          .slice(0, max)
          .sort((a, b) => a.place - b.place)
        expect(largest.list()).toEqual(wanted)
        // Asking changes nothing.
        expect(largest.list()).toEqual(wanted)
      }),
    ))
})

describe('transactions to ask about', () => {
  const hash = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`
  const place = (n: number, origin?: Address) => ({
    ...{ blockNumber: n, logIndex: 0, txHash: hash(n), timestampSeconds: 10 * n, origin },
  })
  const owner: Address = `0x${'77'.repeat(20)}`
  const trade = (n: number, usdE18: bigint, origin?: Address) => ({
    ...{ ...place(n, origin), sender: owner, recipient: owner, amount0: 1n, amount1: -1n, usdE18, tick: 0, tickBefore: 0 },
  })
  const change = (n: number, delta: bigint, origin?: Address) => ({
    ...{ ...place(n, origin), owner, sender: undefined, tickLower: 0, tickUpper: 60, delta, usdE18: 1n },
  })
  const pool = (trades: TradedPool['trades'], changes: TradedPool['changes'] = []): TradedPool => ({
    ...{ address: owner, token0: owner, token1: owner, trades, changes, tick: 0 },
  })
  const blocks = (pools: readonly TradedPool[], mayAsk: (txHash: Hex) => boolean = () => true) =>
    pickAsked(pools, mayAsk).map(
      ({ timestampSeconds, hasLiquidity }) => `${timestampSeconds / 10}${hasLiquidity ? ' liquidity' : ''}`,
    )

  it('are changes of liquidity by pool and size, then trades by their dollars, of equals the newer one', () => {
    const first = pool([trade(1, 5n), trade(2, 50n)], [change(3, -7n), change(4, 9n)])
    const second = pool([trade(5, 5n), trade(6, 500n)], [change(7, 99n)])
    expect(blocks([first, second])).toEqual(['4 liquidity', '3 liquidity', '7 liquidity', '6', '2', '5', '1'])
  })

  it('are none whose signer is known, none that may not be asked, and each one once', () => {
    const known = pool([trade(1, 5n, owner), trade(2, 6n), trade(3, 7n), trade(4, 8n)], [change(4, 1n), change(5, 1n, owner)])
    expect(blocks([known], (txHash) => txHash !== hash(3))).toEqual(['4 liquidity', '2'])
  })

  it('are so many in a turn', () => {
    const many = pool(
      Array.from({ length: 400 }, (_, i) => trade(1_000 + i, 1n)),
      Array.from({ length: 300 }, (_, i) => change(i, 1n)),
    )
    const asked = pickAsked([many], () => true)
    expect(asked.filter(({ hasLiquidity }) => hasLiquidity)).toHaveLength(200)
    expect(asked.filter(({ hasLiquidity }) => !hasLiquidity)).toHaveLength(300)
  })
})
