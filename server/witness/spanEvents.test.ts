import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { FakeChain, type FakeEvent } from '../chain/fakeChain.ts'
import { decodeCreation, decodePoolEvent, indexedTopics } from '../indexer/decodeLog.ts'
import { alpha, beta, factory, manager, usdc } from '../testing/market.ts'
import { hasMore, isSameLines, type Keeping, listDifferingBlocks, timesOf, toLines, withoutTimes } from './spanEvents.ts'

const [ours, other]: readonly [Address, Address] = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`]
const keeping: Keeping = {
  factory,
  wants: (token0, token1) => [token0, token1].includes(usdc),
  decode: decodePoolEvent,
  decodeCreation,
}

const make = (pool: Address, { by = factory, token1 = beta, token0 = usdc } = {}): FakeEvent => ({
  address: by,
  name: 'PoolCreated',
  args: { token0, token1, fee: 3_000, tickSpacing: 60, pool },
})
const collect = (pool: Address, amount0 = 1n): FakeEvent => ({
  address: pool,
  name: 'Collect',
  args: { owner: manager, recipient: manager, tickLower: -60, tickUpper: 60, amount0, amount1: 2n },
})

/** Lines of blocks with these events, by number from 1 on. @param known pools that were there before, and since when */
async function linesOfBlocks(blocks: readonly (readonly FakeEvent[])[], known: Readonly<Record<string, number>> = {}) {
  const chain = new FakeChain()
  for (const events of blocks) chain.mine(events)
  const { logs } = await chain.readRange({ from: 1, to: blocks.length, topics: indexedTopics, everyHeader: false })
  return toLines(keeping, logs, (pool) => known[pool])
}

/** Block and what a line is of, without hashes. */
const kindsOf = (lines: ReadonlyMap<string, number>) =>
  [...lines.keys()].map((line) => {
    const [block, second, third, fourth] = line.split(' ')
    return second === 'created' ? `${block} created ${third}` : `${block} ${fourth} ${third}`
  })

describe('what an index would keep of logs', () => {
  it('are pools that its factory made of tokens that it wants, and the events after that', async () => {
    const lines = await linesOfBlocks([[make(ours), collect(ours)], [collect(ours)]])
    expect([...kindsOf(lines)]).toEqual([`1 created ${ours}`, `1 collect ${ours}`, `2 collect ${ours}`])
    expect([...lines.keys()][0]).toBe(`1 created ${ours} ${usdc} ${beta} 3000 60 1700000012`)
    expect([...lines.values()]).toEqual([1, 1, 2])
  })

  it('are no pools of another factory, and none of tokens that nobody listed', async () => {
    const strange = [make(ours, { by: other }), make(other, { token0: alpha })]
    expect(await linesOfBlocks([strange, [collect(ours), collect(other)]])).toEqual(new Map())
  })

  it('are no events that a contract emitted before it was a pool', async () => {
    const before = [[collect(ours, 5n), collect(other)], [collect(ours, 6n)]]
    const lines = await linesOfBlocks([...before, [collect(ours, 7n), make(ours), collect(ours, 8n)]], { [other]: 0 })
    expect(kindsOf(lines)).toEqual([`3 created ${ours}`, `1 collect ${other}`, `3 collect ${ours}`])
    expect([...lines.keys()].at(-1)).toContain(' 8 2 ')
  })

  it('are events of a pool of the index from the block on in which it was made', async () => {
    const lines = await linesOfBlocks([[collect(ours)], [collect(ours)], [collect(ours)]], { [ours]: 2 })
    expect(kindsOf(lines)).toEqual([`2 collect ${ours}`, `3 collect ${ours}`])
  })
})

describe('two sides of a span', () => {
  const side = (...lines: readonly string[]) => new Map(lines.map((line) => [line, Number(line.split(' ')[0])]))
  const rows = side('4 swap a 104', '7 swap b 107', '9 swap c 109')

  it('differ at each block of which one has what the other lacks, lowest first', () => {
    const theirs = side('11 swap d 111', '7 swap b 107', '2 swap e 102', '4 swap x 104', '9 swap c 109')
    expect(listDifferingBlocks(rows, theirs)).toEqual([2, 4, 11])
    expect([isSameLines(rows, theirs), isSameLines(rows, side(...[...rows.keys()].toReversed()))]).toEqual([false, true])
  })

  it('differ where the time alone does, which makes neither of them have more', () => {
    const retimed = side('4 swap a 105', '7 swap b 107', '9 swap c 109')
    expect(listDifferingBlocks(rows, retimed)).toEqual([4])
    expect(isSameLines(withoutTimes(rows), withoutTimes(retimed))).toBe(true)
    expect([hasMore(retimed, rows, 4), timesOf(retimed).get(4)]).toEqual([false, 105])
  })

  it('has more only of the block in question', () => {
    const theirs = side('4 swap a 104', '4 swap e 104')
    expect([hasMore(theirs, rows, 4), hasMore(theirs, rows, 7), hasMore(rows, theirs, 4)]).toEqual([true, false, false])
  })
})
