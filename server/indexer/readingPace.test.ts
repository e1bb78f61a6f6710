import { describe, expect, it } from 'vitest'
import { createReadingPace } from './readingPace.ts'

/** Ranges of 1,000 blocks, one each second, with so many events in each. */
function read(seconds: number, events = 10, pace = createReadingPace()) {
  let last: ReturnType<typeof pace.see>
  for (let second = 0; second <= seconds; second += 1) last = pace.see({ atMs: second * 1_000, block: second * 1_000, events })
  return last
}

describe('the pace of reading', () => {
  it('is not told before five seconds of it', () => {
    expect(read(4)).toBeUndefined()
    expect(read(5)).toEqual({ blocksPerSecond: 1_000, eventsPerSecond: 10 })
  })

  it('is that of the last five minutes', () => {
    const pace = createReadingPace()
    read(600, 10, pace)
    // Half as quick from here on.
    for (let i = 1; i <= 150; i += 1) pace.see({ atMs: 600_000 + i * 2_000, block: 600_000 + i * 1_000, events: 10 })
    expect(pace.see({ atMs: 902_000, block: 751_000, events: 10 })?.blocksPerSecond).toBeCloseTo(500, 0)
  })

  it('begins again where the chain was taken back, and after a reset', () => {
    const pace = createReadingPace()
    read(60, 10, pace)
    expect(pace.see({ atMs: 61_000, block: 0, events: 0 })).toBeUndefined()
    const other = createReadingPace()
    read(60, 10, other)
    other.reset()
    expect(other.see({ atMs: 61_000, block: 61_000, events: 0 })).toBeUndefined()
  })
})
