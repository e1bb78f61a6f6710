import { describe, expect, it } from 'vitest'
import { averageGroups, carryForward } from './series.ts'

const at = (atSeconds: number, value: number) => ({ atSeconds, value })

describe('hours without a trade', () => {
  it('carry the last price forward, and nothing stands before the first', () => {
    expect(carryForward([at(20, 1), at(40, 2)], [10, 20, 30, 40, 50])).toEqual([at(20, 1), at(30, 1), at(40, 2), at(50, 2)])
  })

  it('start from a sample before the window', () => {
    expect(carryForward([at(5, 7)], [10, 20])).toEqual([at(10, 7), at(20, 7)])
  })

  it('have no price when there never was one', () => {
    expect(carryForward([], [10, 20])).toEqual([])
  })
})

describe('averaging', () => {
  const samples = [1n, 3n, 10n, 20n, 30n].map((value, i) => ({ atSeconds: i * 10, value }))

  it('takes the newest group whole and the oldest as it is', () => {
    expect(averageGroups(samples, 2)).toEqual([
      { atSeconds: 0, value: 1n },
      { atSeconds: 10, value: 6n },
      { atSeconds: 30, value: 25n },
    ])
  })

  it('of nothing is nothing', () => expect(averageGroups([], 24)).toEqual([]))
})
