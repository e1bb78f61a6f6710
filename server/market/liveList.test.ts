import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createLiveList, fromList, type Hold } from './liveList.ts'
import { type ListedToken, listedMax, type TokenList } from './tokenList.ts'

const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const token = (n: number, symbol = `T${n}`): ListedToken => ({
  ...{ id: address(n), address: address(n), symbol, name: symbol, decimals: 18, logo: '', category: '', verified: true },
})
const listOf = (...numbers: readonly number[]): TokenList => ({ tokens: numbers.map((n) => token(n)), highlighted: [] })
const symbols = ({ tokens }: Pick<TokenList, 'tokens'>) => tokens.map(({ symbol }) => symbol).join(' ')
const problem = { field: 'TOKENS', found: 'nothing', wanted: 'a list' }

describe('a list of tokens that changes while the server runs', () => {
  it('is the operator’s own tokens first, then those of the web that it does not have', () => {
    const live = createLiveList(listOf(1, 2), { nowMs: () => 0, remote: [token(2, 'FAKE'), token(3)] })
    expect(symbols(live.current())).toBe('T1 T2 T3')
    expect(live.find(address(2))?.symbol).toBe('T2')
    live.putRemote([token(4)])
    expect([symbols(live.current()), live.find(address(3))]).toEqual(['T1 T2 T4', undefined])
    // A token that leaves the own list is as the web says from then on.
    live.putRemote([token(2, 'WEB')])
    live.put(listOf(1))
    expect(symbols(live.current())).toBe('T1 WEB')
    expect(symbols(live.newest())).toBe('T1')
  })

  it('never grows beyond its limit, and the operator’s own tokens are not the ones that go', () => {
    const own = listOf(...Array.from({ length: listedMax - 1 }, (_, i) => i + 1))
    const live = createLiveList(own, { nowMs: () => 0, remote: [token(listedMax + 5), token(listedMax + 6)] })
    expect(live.current().tokens).toHaveLength(50_000)
    expect(live.find(address(listedMax + 5))).toBeDefined()
    expect(live.find(address(listedMax + 6))).toBeUndefined()
  })

  it('is the same object until it changes, so that what follows from it is worked out once', () => {
    const live = createLiveList(listOf(1), { nowMs: () => 0 })
    const first = live.current()
    live.refuse([problem])
    live.noteIndexed(undefined, false)
    expect(live.current()).toBe(first)
    live.noteIndexed(undefined, true)
    expect(live.current()).not.toBe(first)
  })

  it('tells those who watch it of every change, until they stop', () => {
    const live = createLiveList(listOf(1), { nowMs: () => 0 })
    const seen: string[] = []
    const stop = live.watch(() => seen.push(symbols(live.current())))
    live.put(listOf(2))
    live.putRemote([token(3)])
    live.refuse([problem])
    stop()
    live.put(listOf(9))
    expect(seen).toEqual(['T2', 'T2 T3'])
  })

  it('features what its files say, unless operators chose others, in their order and without those that left', () => {
    const own = { ...listOf(1, 2), highlighted: [token(1)] }
    const live = createLiveList(own, { nowMs: () => 0, remote: [token(3)] })
    const featured = () => live.current().highlighted.map(({ symbol }) => symbol)
    expect(featured()).toEqual(['T1'])
    live.putFeatured([address(3), address(2), address(8)])
    expect(featured()).toEqual(['T3', 'T2'])
    live.putRemote([])
    expect(featured()).toEqual(['T2'])
    // None is a choice, too.
    live.putFeatured([])
    expect(featured()).toEqual([])
    live.putFeatured(undefined)
    expect(featured()).toEqual(['T1'])
  })
})

describe('tokens of a list that the index does not have yet', () => {
  const holds = new Map<Address, Hold>([
    [address(1), 'all'],
    [address(2), 'newest'],
    [address(3), 'quotes'],
    [address(4), 'none'],
  ])
  const holdOf = (id: Address): Hold => holds.get(id) ?? 'none'

  it('are listed, but not among those whose figures are all there', () => {
    const own = { ...listOf(1, 2, 3, 4), highlighted: [token(3), token(2)] }
    const live = createLiveList(own, { nowMs: () => 0, holdOf })
    expect([symbols(live.current()), symbols(live.complete())]).toEqual(['T1 T2 T3 T4', 'T1 T2'])
    expect(live.complete().highlighted.map(({ symbol }) => symbol)).toEqual(['T2'])
    // Of the newest blocks alone figures are whole, but its history is still being read.
    expect(symbols({ tokens: live.status().beingRead })).toBe('T2 T3 T4')
  })

  it('join the others when the index says that it has them', () => {
    const held = new Map(holds)
    const live = createLiveList(listOf(1, 4), { nowMs: () => 0, holdOf: (id) => held.get(id) ?? 'none' })
    const progress = { phase: 'reading', blocks: { read: 5, all: 9 } } as const
    live.noteIndexed(progress, false)
    expect([symbols(live.complete()), live.status().readProgress]).toEqual(['T1', progress])
    held.set(address(4), 'all')
    live.noteIndexed(undefined, true)
    expect([symbols(live.complete()), live.status().beingRead, live.status().readProgress]).toEqual(['T1 T4', [], undefined])
  })
})

describe('a newer list that is refused', () => {
  it('leaves the current one in place, and is refused since the first time', () => {
    let nowMs = 100
    const live = createLiveList(listOf(1), { nowMs: () => nowMs })
    nowMs = 200
    live.refuse([problem])
    nowMs = 300
    const other = { ...problem, found: 'a number' }
    live.refuse([other])
    expect(live.status()).toMatchObject({ tokens: 1, takenAtMs: 100, refused: { sinceMs: 200, problems: [other] } })
    live.keep()
    expect(live.status()).toMatchObject({ takenAtMs: 100, refused: undefined })
    live.refuse([problem])
    expect(live.status().refused?.sinceMs).toBe(300)
    nowMs = 400
    live.put(listOf(1, 2))
    expect(live.status()).toMatchObject({ tokens: 2, takenAtMs: 400, refused: undefined })
  })
})

describe('what follows from a list', () => {
  it('is worked out once for each list, also where nothing follows', () => {
    let list = 'one'
    const worked: string[] = []
    const read = fromList(
      () => list,
      (each) => {
        worked.push(each)
        return undefined
      },
    )
    expect([read(), read()]).toEqual([undefined, undefined])
    list = 'two'
    read()
    expect(worked).toEqual(['one', 'two'])
  })
})
