import { expect, test, vi } from 'vitest'
import { publish, publishPrices, rereadShown, setStreamed, show } from './liveTokens.ts'
import type { StreamedPrice } from './patchToken.ts'
import { testToken } from './testToken.ts'

const [gold, iron] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]

/** A token on screen that counts how often it is drawn. */
function onScreen(address: string) {
  const seen = { draws: 0 }
  const leave = show(address, () => {
    seen.draws += 1
  })
  return { seen, leave }
}

const priceOf = (address: string, usdPrice: number, asOf: number): StreamedPrice => ({
  ...testToken,
  ...{ address, usdPrice, asOf, change24h: 1, block: 1, stale: false },
})

test('a price draws the token that it is of, once, and no other', () => {
  const [a, b] = [onScreen(gold), onScreen(iron)]
  publish([
    { ...testToken, address: gold, priceInUsd: 1 },
    { ...testToken, address: iron, priceInUsd: 1 },
  ])
  publishPrices([priceOf(gold, 2, 100)])
  publishPrices([priceOf(gold, 2, 100)])
  expect([a.seen.draws, b.seen.draws]).toEqual([2, 1])
  a.leave()
  publishPrices([priceOf(gold, 3, 101)])
  expect(a.seen.draws).toBe(2)
  b.leave()
})

test('an answer that is older than the stream does not undo it, unless the chain took that back', () => {
  const { seen, leave } = onScreen(gold)
  const answer = (asOf: number) => publish([{ ...testToken, address: gold, priceInUsd: asOf, priceAsOf: asOf }])
  answer(100)
  setStreamed(true)
  publishPrices([priceOf(gold, 7, 120)])
  answer(110)
  expect(seen.draws).toBe(2)
  rereadShown()
  answer(110)
  expect(seen.draws).toBe(3)
  setStreamed(false)
  leave()
})

test('polls that a restart of the server has begun at one moment do not stay together', async () => {
  const random = vi.spyOn(Math, 'random')
  const waits: number[] = []
  for (const value of [0, 0.5]) {
    random.mockReturnValue(value)
    vi.resetModules()
    waits.push((await import('./liveTokens.ts')).streamedPollMs)
  }
  random.mockRestore()
  expect(waits).toEqual([25_000, 30_000])
})
