import { type Address, createTickList, noDepth } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { emptyPoolState } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import { planLane, type Turn } from './planLane.ts'

const [a, b]: readonly [Address, Address] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
const begin = Number.NEGATIVE_INFINITY

const poolOf = (address: Address): Pool => ({
  ...emptyPoolState,
  ...noDepth,
  ...{ address, token0: a, token1: b, fee: 3_000, tick: 0, tickSpacing: 60 },
  ...{ createdBlock: 0, createdAtSeconds: 0, firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined, reach: undefined },
})
// Near the price: word -1 with its tick -60, word 0 with 120, word 1. Five places.
const list = createTickList([
  [-60, { gross: 7n, net: 7n }],
  [120, { gross: 7n, net: -7n }],
])
const pools = new Map([a, b].map((address) => [address, poolOf(address)]))
const lists = new Map([a, b].map((address) => [address, list]))
const plan = (turn: Turn, limit: number, known: Partial<{ pools: typeof pools; lists: typeof lists }> = {}) =>
  planLane('near', turn, { pools, lists, ...known, limit })
const namesOf = ({ places }: ReturnType<typeof plan>) =>
  places.map(({ pool, kind, at }) => `${pool.address === a ? 'a' : 'b'} ${kind} ${at}`)

describe('the next places of a lane', () => {
  it('end in the middle of a pool when the limit is reached, and go on there', () => {
    const first = plan({ queue: [a, b], after: begin }, 3)
    expect([namesOf(first), first.done]).toEqual([['a word -1', 'a tick -60', 'a word 0'], []])
    const second = plan(first.next, 3)
    expect([namesOf(second), second.done]).toEqual([['a tick 120', 'a word 1', 'b word -1'], [a]])
    const third = plan(second.next, 10)
    expect([namesOf(third), third.done]).toEqual([['b tick -60', 'b word 0', 'b tick 120', 'b word 1'], [b]])
    expect(third.next).toEqual({ queue: [], after: begin })
  })

  it('leave out no place when a tick was added behind the last one meanwhile', () => {
    const { next } = plan({ queue: [a], after: begin }, 2)
    const grown = createTickList([...list.byTick, [-120, { gross: 1n, net: 1n }], [60, { gross: 1n, net: 1n }]])
    expect(namesOf(plan(next, 10, { lists: new Map([[a, grown]]) }))).toEqual([
      ...['a word 0', 'a tick 60', 'a tick 120', 'a word 1'],
    ])
  })

  it('stop before a pool whose ticks are not at hand, which stays the first in the queue', () => {
    const { places, done, next } = plan({ queue: [a, b], after: begin }, 100, { lists: new Map([[a, list]]) })
    expect([places.length, done, next.queue]).toEqual([5, [a], [b]])
  })

  it('pass over a pool that the index has no longer', () => {
    const known = { pools: new Map([[b, poolOf(b)]]), lists: new Map([[b, list]]) }
    const { places, done, next } = plan({ queue: [a, b], after: begin }, 100, known)
    expect([places.length, done, next.queue]).toEqual([5, [a, b], []])
  })
})
