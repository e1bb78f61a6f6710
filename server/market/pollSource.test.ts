import { type Address, Failure } from '@chainboard/core'
import { expect, it } from 'vitest'
import { createFakeClock } from '../testing/fakeClock.ts'
import { pollSource, type SourceLog, waitMsAfter } from './pollSource.ts'
import type { PriceSource, SourceReading } from './source.ts'

const startMs = Date.parse('2026-11-20T12:00:00Z')
const minuteMs = 60_000
const reading = (number: number): SourceReading => ({
  atBlock: { number, hash: '0x00', timestampSeconds: 0 },
  answers: new Map<Address, never>(),
})

/** A source that does what it is told, polled every four minutes. */
function poll(read: () => Promise<SourceReading>) {
  const clock = createFakeClock(startMs)
  const lines: string[] = []
  const write = (level: string) => (_: object, text: string) => lines.push(`${level}: ${text}`)
  const log: SourceLog = { info: write('info'), warn: write('warn'), error: write('error') }
  const source: PriceSource = { name: 'cmcListed', read }
  const poll = pollSource(source, {
    clock,
    log,
    tokens: () => [],
    intervalMs: () => 4 * minuteMs,
    retryFirstMs: () => 5_000,
    onChange: () => undefined,
  })
  return { clock, poll, lines }
}

it('waits no longer than the interval after a failure, unless the failure says how long', () => {
  const wait = (failures: number, retryAfterMs?: number) =>
    waitMsAfter({ failures, retryAfterMs, intervalMs: 240_000, retryFirstMs: 5_000 })
  expect([0, 1, 2, 3, 6, 7, 1_000].map((failures) => wait(failures))).toEqual([
    240_000, 5_000, 10_000, 20_000, 160_000, 240_000, 240_000,
  ])
  expect(wait(1, 60_000)).toBe(60_000)
  expect(wait(1, 0)).toBe(5_000)
})

it('keeps the last reading through an hour without answers, and is back within one interval of the return', async () => {
  let down = false
  let reads = 0
  const {
    clock,
    poll: source,
    lines,
  } = poll(async () => {
    reads += 1
    if (down) throw new Failure('upstream-unavailable', 'CoinMarketCap is not responding: ECONNREFUSED', { retryable: true })
    return reading(reads)
  })
  source.start()
  await clock.whenAsleep(1)
  down = true
  const backMs = startMs + 60 * minuteMs
  while (!(await clock.next(1, backMs)));
  expect(source.kept()).toMatchObject({
    reading: { atBlock: { number: 1 } },
    readAtMs: startMs,
    failingSinceMs: startMs + 4 * minuteMs,
    failure: 'CoinMarketCap is not responding: ECONNREFUSED',
  })
  // 4 minutes; then 5, 10, 20, 40, 80, 160 s; then every 4 minutes.
  expect(reads).toBeLessThan(25)
  down = false
  while (!(await clock.next(1, backMs + 4 * minuteMs)));
  await clock.whenAsleep(1)
  expect(source.kept()).toMatchObject({ readAtMs: expect.any(Number), failure: undefined, failingSinceMs: undefined })
  expect(source.kept().readAtMs).toBeGreaterThan(backMs)
  expect(lines).toEqual(['warn: CoinMarketCap is not responding: ECONNREFUSED', 'info: A price source is responding again'])
  await source.stop()
})

it('is asked once, however many want to know', async () => {
  const gate = Promise.withResolvers<SourceReading>()
  let reads = 0
  const { poll: source } = poll(() => {
    reads += 1
    return gate.promise
  })
  const wanted = [source.refresh(), source.refresh(), source.refresh()]
  gate.resolve(reading(7))
  await Promise.all(wanted)
  expect(reads).toBe(1)
  expect(source.kept().reading?.atBlock?.number).toBe(7)
})

it('keeps what broke by a bug of ours out of what is shown, and in the log', async () => {
  const { poll: source, lines } = poll(() => Promise.reject(new TypeError('x is not a function')))
  await source.refresh()
  expect(source.kept().failure).toBe('The source failed because of a bug')
  expect(lines).toEqual(['error: The source failed because of a bug'])
})

it('stops while it waits, and while it reads', async () => {
  const { clock, poll: waiting } = poll(async () => reading(1))
  waiting.start()
  await clock.whenAsleep(1)
  await waiting.stop()
  const gate = Promise.withResolvers<SourceReading>()
  const { poll: busy } = poll(() => gate.promise)
  busy.start()
  const stopped = busy.stop()
  gate.resolve(reading(1))
  await stopped
})
