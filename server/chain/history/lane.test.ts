import { Failure } from '@chainboard/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { createLane, type Lane } from './lane.ts'

let nowMs = 0
let waiting = 0
let lane: Lane
beforeEach(() => {
  nowMs = 1_000_000
  waiting = 0
  lane = createLane(
    () => nowMs,
    () => waiting,
  )
})

const down = new Failure('rpc-unavailable', 'no', { retryable: true })
const tooFast = (retryAfterMs: number) => new Failure('rpc-rate-limited', 'no', { retryable: true, detail: { retryAfterMs } })

/** Ranges that it takes at once. */
function depth(): number {
  let begun = 0
  while (lane.hasRoom()) {
    lane.begin()
    begun += 1
  }
  for (let i = 0; i < begun; i += 1) lane.end()
  return begun
}

const restMs = () => Math.max(0, lane.restUntilMs() - nowMs)
const answer = (times: number) => {
  for (let i = 0; i < times; i += 1) lane.answered({ blocks: 1, logs: 0 })
}

describe('the lane of a node', () => {
  it('begins with two ranges, and has eight under way when it answers', () => {
    expect(depth()).toBe(2)
    answer(3)
    expect(depth()).toBe(3)
    answer(100)
    expect(depth()).toBe(8)
  })

  it('takes no other range while calls of it wait for their turn, unless it has none', () => {
    waiting = 5
    expect(depth()).toBe(1)
    waiting = 4
    expect(depth()).toBe(2)
  })

  it('halves what is under way after a failure, rests twice as long each time, and a minute at most', () => {
    answer(100)
    const rests = Array.from({ length: 8 }, () => {
      lane.failed(down)
      const rest = restMs()
      nowMs += rest
      return rest
    })
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    expect(depth()).toBe(1)
    answer(1)
    lane.failed(down)
    expect(restMs()).toBe(1_000)
  })

  it('counts ranges that fail together once, and rests for the longest time that one of them wants', () => {
    answer(100)
    lane.failed(down)
    lane.failed(tooFast(9_000))
    lane.failed(down)
    expect([restMs(), depth()]).toEqual([9_000, 4])
  })

  it('rests as long as the node asks', () => {
    lane.failed(tooFast(120_000))
    expect(restMs()).toBe(120_000)
  })

  it('narrows ranges after a failure, and for the rate only when that does not end', () => {
    lane.failed(down)
    expect(lane.width.blocks()).toBe(200)
    const widths = Array.from({ length: 4 }, () => {
      nowMs = lane.restUntilMs()
      lane.failed(tooFast(1))
      return lane.width.blocks()
    })
    expect(widths).toEqual([200, 200, 200, 100])
  })

  it('is late after two seconds of silence, or four times what its calls take, four at most', () => {
    expect(lane.lateAtMs(nowMs)).toBe(nowMs + 2_000)
    lane.heard(750)
    expect(lane.lateAtMs(nowMs)).toBe(nowMs + 3_000)
    for (let i = 0; i < 40; i += 1) lane.heard(5_000)
    expect(lane.lateAtMs(nowMs)).toBe(nowMs + 4_000)
  })

  it('is not late with a range of many calls while it answers them', () => {
    const begunAtMs = nowMs
    nowMs += 10_000
    lane.heard(100)
    expect(lane.lateAtMs(begunAtMs)).toBe(nowMs + 2_000)
  })

  it('is silent from when another node outran it until it answers, and begins with one range then', () => {
    answer(100)
    lane.outrun()
    expect([lane.isSilent(), restMs(), depth()]).toEqual([true, 1_000, 1])
    answer(1)
    expect(lane.isSilent()).toBe(false)
  })

  it('rests for as long as its node comes last when what it gave was not true', () => {
    lane.distrust(60_000)
    expect(restMs()).toBe(60_000)
  })
})
