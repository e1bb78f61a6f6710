import { describe, expect, it } from 'vitest'
import { createClientShares } from './clientShares.ts'
import { createKeptAnswers } from './keptAnswers.ts'

describe('the share of a client', () => {
  const waiting = 'Too many queries are waiting. Try again in a few seconds'
  const spent = 'Too many queries: yours took more than 20 s within a minute. Try again in a minute'

  it('is four queries at once, and one more with each that is answered', () => {
    const shares = createClientShares(() => 0)
    for (let i = 0; i < 4; i += 1) {
      expect(shares.refuse('a')).toBeUndefined()
      shares.enter('a')
    }
    expect(shares.refuse('a')).toBe(waiting)
    expect(shares.refuse('b')).toBeUndefined()
    shares.leave('a', 10)
    expect(shares.refuse('a')).toBeUndefined()
  })

  it('is twenty seconds of the thread within a minute', () => {
    let nowMs = 0
    const shares = createClientShares(() => nowMs)
    shares.enter('a')
    shares.leave('a', 19_999)
    expect(shares.refuse('a')).toBeUndefined()
    shares.enter('a')
    shares.leave('a', 1)
    expect(shares.refuse('a')).toBe(spent)
    expect(shares.refuse('b')).toBeUndefined()
    nowMs = 59_999
    expect(shares.refuse('a')).toBe(spent)
    nowMs = 60_000
    expect(shares.refuse('a')).toBeUndefined()
  })

  it('is with those of its network twelve queries and thirty seconds', () => {
    const shares = createClientShares(() => 0)
    const [one, two, other] = ['2001:db8:1:1::/64', '2001:db8:1:2::/64', '2001:db8:2:1::/64']
    for (const client of [1, 2, 3].map((site) => `192.0.2.${site}`)) for (let i = 0; i < 4; i += 1) shares.enter(client)
    expect([shares.refuse('192.0.2.9'), shares.refuse('192.0.3.1')]).toEqual([waiting, undefined])
    shares.enter(one)
    shares.leave(one, 15_000)
    expect(shares.refuse(two)).toBeUndefined()
    shares.enter(two)
    shares.leave(two, 15_000)
    expect([shares.refuse(two), shares.refuse(other)]).toEqual([
      'Too many queries: those of your network took more than 30 s within a minute. Try again in a minute',
      undefined,
    ])
  })

  it('keeps what is still open over the minute', () => {
    let nowMs = 0
    const shares = createClientShares(() => nowMs)
    for (let i = 0; i < 4; i += 1) shares.enter('a')
    nowMs = 60_000
    expect(shares.refuse('a')).toBe(waiting)
    shares.leave('a', 25_000)
    expect(shares.refuse('a')).toBe(spent)
  })

  it('never has less than none open, no matter who leaves too often', () => {
    const shares = createClientShares(() => 0)
    shares.leave('a', 0)
    shares.leave('a', 0)
    for (let i = 0; i < 4; i += 1) shares.enter('a')
    expect(shares.refuse('a')).toBe(waiting)
  })
})

describe('the last answers', () => {
  it('are given with their age, for an hour', () => {
    let nowMs = 500
    const kept = createKeptAnswers(() => nowMs)
    expect(kept.find('q')).toBeUndefined()
    kept.keep('q', 'first')
    kept.keep('q', 'second')
    nowMs = 3_499
    expect(kept.find('q')).toEqual({ body: 'second', ageSeconds: 2 })
    nowMs = 3_600_500
    expect(kept.find('q')).toEqual({ body: 'second', ageSeconds: 3_600 })
    nowMs = 3_600_501
    expect(kept.find('q')).toBeUndefined()
    expect(kept.find('other')).toBeUndefined()
  })

  it('are none that are too long, and no more than fit together', () => {
    const kept = createKeptAnswers(() => 0)
    kept.keep('long', 'x'.repeat(500_000 - 4))
    kept.keep('longer', 'x'.repeat(500_000 - 5))
    expect(kept.find('long')?.body).toHaveLength(499_996)
    expect(kept.find('longer')).toBeUndefined()
    for (let i = 0; i < 16; i += 1) kept.keep(`q${i}`, 'x'.repeat(490_000))
    expect(kept.find('long')).toBeUndefined()
    expect(kept.find('q15')?.body).toHaveLength(490_000)
  })
})
