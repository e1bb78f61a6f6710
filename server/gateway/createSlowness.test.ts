import { describe, expect, it } from 'vitest'
import { createSlowness } from './createSlowness.ts'

function open() {
  const clock = { ms: 0 }
  return { clock, slowness: createSlowness(() => clock.ms) }
}

describe('how slow a node is', () => {
  it('is nothing before its first answer: no long call is excused, no place added', () => {
    const { slowness } = open()
    expect([slowness.usualMs(), slowness.widthTimes(), slowness.learnedAtMs()]).toEqual([0, 1, Number.NEGATIVE_INFINITY])
  })

  it('follows its cheap answers by a quarter of each new one', () => {
    const { slowness } = open()
    slowness.learn(100, true)
    slowness.learn(200, true)
    slowness.learn(200, true)
    // 100, 125, 143.75
    expect(slowness.usualMs()).toBe(143.75)
  })

  it('excuses half a second at most while heavy calls of strangers may be the reason', () => {
    const { slowness } = open()
    slowness.learn(3_000, false)
    expect([slowness.usualMs(), slowness.widthTimes()]).toEqual([500, 1])
  })

  it('excuses all of it, with more places, where the node was as slow without them', () => {
    const { slowness } = open()
    slowness.learn(2_000, true)
    expect([slowness.usualMs(), slowness.widthTimes()]).toEqual([2_000, 8])
  })

  it('gives sixteen times the places at most', () => {
    const { slowness } = open()
    slowness.learn(60_000, true)
    expect(slowness.widthTimes()).toBe(16)
  })

  it('holds half a minute, then has to show again', () => {
    const { clock, slowness } = open()
    slowness.learn(2_000, true)
    clock.ms = 29_999
    expect(slowness.widthTimes()).toBe(8)
    clock.ms = 30_000
    expect([slowness.widthTimes(), slowness.usualMs()]).toEqual([1, 500])
  })

  it('is over at once with an answer in less than a quarter of it, even under heavy calls', () => {
    const { slowness } = open()
    slowness.learn(2_000, true)
    slowness.learn(500, false)
    expect(slowness.widthTimes()).toBe(8)
    slowness.learn(499, false)
    expect(slowness.widthTimes()).toBe(1.996)
  })

  it('is known as of the last answer, quiet or not', () => {
    const { clock, slowness } = open()
    clock.ms = 5
    slowness.learn(1, false)
    expect(slowness.learnedAtMs()).toBe(5)
  })
})
