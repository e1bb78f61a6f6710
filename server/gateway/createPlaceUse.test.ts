import { expect, it } from 'vitest'
import { createPlaceUse } from './createPlaceUse.ts'

function open() {
  const world = { ms: 0, width: 1 }
  const use = createPlaceUse({ nowMs: () => world.ms, widthTimes: () => world.width, startMs: 5 })
  return { world, use }
}

const one = { client: '10.0.0.1', network: '10.0.0.0/24' }
const neighbour = { client: '10.0.0.2', network: '10.0.0.0/24' }
const other = { client: '10.0.1.1', network: '10.0.1.0/24' }

it('delays a client by ten times the time that its calls have had places, those that run included', () => {
  const { world, use } = open()
  expect(use.delayMs(one)).toBe(0)
  use.enter(one)
  expect(use.delayMs(one)).toBe(50)
  world.ms = 40
  expect(use.delayMs(one)).toBeCloseTo(450, 0)
  use.enter(one)
  world.ms = 50
  expect(use.delayMs(one)).toBeCloseTo(700, 0)
  use.leave(one)
  use.leave(one)
  expect(use.delayMs(other)).toBe(0)
})

it('delays the neighbours of a network by a quarter of what all in it have used', () => {
  const { world, use } = open()
  use.enter(one)
  world.ms = 95
  use.leave(one)
  expect(use.delayMs(neighbour)).toBeCloseTo(250, 0)
  expect(use.delayMs(one)).toBeCloseTo(1_000, 0)
})

it('delays nobody by more than ten seconds, and forgets two thirds of it in a minute', () => {
  const { world, use } = open()
  use.enter(one)
  world.ms = 1_995
  use.leave(one)
  expect(use.delayMs(one)).toBe(10_000)
  world.ms += 60_000
  // 2,000 ms / e = 736 ms.
  expect(use.delayMs(one)).toBeCloseTo(7_350, -2)
  world.ms += 600_000
  expect(use.delayMs(one)).toBeLessThan(1)
})

it('counts a place for less where a slow node has more of them', () => {
  const { world, use } = open()
  world.width = 4
  use.enter(one)
  world.ms = 80
  use.leave(one)
  expect(use.delayMs(one)).toBeCloseTo(250, 0)
})
