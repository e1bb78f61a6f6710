import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changePosition, changeTick, createTickList, nextTickInWord, placeOf } from './tickList.ts'

describe('the ticks of a pool', () => {
  it('are in order, however they come, without those that bound nothing', () => {
    const list = createTickList([
      [60, { gross: 5n, net: -5n }],
      [-60, { gross: 5n, net: 5n }],
      [0, { gross: 0n, net: 0n }],
    ])
    expect(list.order).toEqual([-60, 60])
    expect([...list.byTick.keys()].sort((a, b) => a - b)).toEqual([-60, 60])
  })

  it('stay while a position ends where another one begins, though they add up to nothing', () => {
    const list = createTickList()
    changePosition(list, { tickLower: 0, tickUpper: 60 }, 7n)
    changePosition(list, { tickLower: 60, tickUpper: 120 }, 7n)
    expect(list.byTick.get(60)).toEqual({ gross: 14n, net: 0n })
    changePosition(list, { tickLower: 60, tickUpper: 120 }, -7n)
    expect(list.order).toEqual([0, 60])
    expect(list.byTick.get(60)).toEqual({ gross: 7n, net: -7n })
  })

  it('are none of a change that adds nothing to nothing', () => {
    const list = createTickList()
    changeTick(list, 60, { gross: 0n, net: 0n })
    expect(list).toEqual({ order: [], byTick: new Map() })
  })

  const position = fc
    .tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 10 }), fc.bigInt({ min: 1n, max: 9n }))
    .map(([lower, width, liquidity]) => ({ range: { tickLower: lower * 60, tickUpper: (lower + width) * 60 }, liquidity }))

  it('have the liquidity of the positions over every price, and none beyond them', () =>
    fc.assert(
      fc.property(fc.array(position, { maxLength: 12 }), (positions) => {
        const list = createTickList()
        for (const { range, liquidity } of positions) changePosition(list, range, liquidity)
        let inForce = 0n
        for (const tick of list.order) {
          inForce += list.byTick.get(tick)?.net ?? 0n
          const over = positions.filter(({ range }) => range.tickLower <= tick && tick < range.tickUpper)
          expect(inForce).toBe(over.reduce((sum, { liquidity }) => sum + liquidity, 0n))
        }
        expect(inForce).toBe(0n)
      }),
    ))

  it('are gone with the last position, in whatever order these leave', () =>
    fc.assert(
      fc.property(fc.array(position, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (positions, turns) => {
        const list = createTickList()
        for (const { range, liquidity } of positions) changePosition(list, range, liquidity)
        const left = [...positions]
        for (const turn of turns) {
          const [gone] = left.splice(turn % Math.max(1, left.length), 1)
          if (!gone) break
          changePosition(list, gone.range, -gone.liquidity)
          expect(list.order).toEqual(
            [...new Set(left.flatMap(({ range }) => [range.tickLower, range.tickUpper]))].sort((a, b) => a - b),
          )
        }
        expect(list).toEqual({ order: [], byTick: new Map() })
      }),
    ))
})

describe('the place of a tick', () => {
  it.each([
    [-61, 0],
    [-60, 0],
    [-59, 1],
    [0, 1],
    [60, 2],
    [61, 3],
  ])('%i is %i', (tick, place) => expect(placeOf([-60, 0, 60], tick)).toBe(place))

  it('in an empty list is its beginning', () => expect(placeOf([], 5)).toBe(0))
})

describe('the end of a step', () => {
  it('is never beyond the grid', () => {
    const none = createTickList()
    expect(nextTickInWord(none, -887_272, { spacing: 1, down: true })).toBe(-887_272)
    expect(nextTickInWord(none, -887_220, { spacing: 60, down: true })).toBe(-887_272)
    expect(nextTickInWord(none, 887_220, { spacing: 60, down: false })).toBe(887_272)
  })

  it('continues from each tick to the end of the path', () => {
    const none = createTickList()
    let [tick, steps] = [887_271, 0]
    for (; tick > -887_272; steps += 1) tick = Math.max(-887_272, nextTickInWord(none, tick, { spacing: 1, down: true }) - 1)
    // 1,774,544 ticks in words of 256.
    expect(steps).toBe(6_932)
  })
})
