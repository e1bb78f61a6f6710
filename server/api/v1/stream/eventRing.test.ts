import { describe, expect, it } from 'vitest'
import { createEventRing, type RingLimits, type StreamEvent } from './eventRing.ts'

const run = '3fa94c01'
const roomy: RingLimits = { eventsMax: 100, bytesMax: 10_000 }
const [alpha, beta] = ['0xaa', '0xbb']

/** A ring with so many events, whose data is their place. */
function open(count: number, limits: RingLimits = roomy) {
  const ring = createEventRing(limits, run)
  for (let place = 1; place <= count; place += 1) ring.append('price', [alpha], { json: `${place}` })
  return ring
}
const placesOf = (events: readonly StreamEvent[] | undefined) => events?.map(({ place }) => place)
const textOf = (bytes: Buffer | undefined) => bytes?.toString()

describe('a reader who comes back', () => {
  it('is given what came after its last event, and nothing where there is none', () => {
    const ring = open(4)
    expect(placesOf(ring.since(`${run}-2`))).toEqual([3, 4])
    expect(placesOf(ring.since(`${run}-0`))).toEqual([1, 2, 3, 4])
    expect(ring.since(ring.lastId())).toEqual([])
  })

  it('is not given a part when the first of them are gone', () => {
    const ring = open(8, { ...roomy, eventsMax: 3 })
    expect(placesOf(ring.since(`${run}-5`))).toEqual([6, 7, 8])
    expect(ring.since(`${run}-4`)).toBe(undefined)
  })

  it.each([
    ['of another run of the server', 'ffffffff-2'],
    ['ahead of the newest event', `${run}-5`],
    ['that no server gave', `${run}-2 `],
    ['with a sign', `${run}--1`],
  ])('begins anew with an id %s', (_name, id) => {
    expect(open(4).since(id)).toBe(undefined)
  })
})

describe('the row of events', () => {
  it('is called by a name before the first event', () => {
    const ring = open(0)
    expect([ring.lastId(), ring.last(), ring.since(`${run}-0`)]).toEqual([`${run}-0`, 0, []])
  })

  it('lets the oldest go when all together are too many bytes', () => {
    // `id: 3fa94c01-1\nevent: price\ndata: 1\n\n` has 38 bytes: two of them fit into 100, three do not.
    const ring = open(3, { ...roomy, bytesMax: 100 })
    expect([placesOf(ring.since(`${run}-1`)), ring.since(`${run}-0`)]).toEqual([[2, 3], undefined])
  })

  it('lets an event go that alone is too many bytes, and keeps the next', () => {
    const ring = open(0, { ...roomy, bytesMax: 100 })
    ring.append('price', [alpha], { json: 'x'.repeat(200) })
    expect([ring.since(`${run}-0`), ring.since(`${run}-1`)]).toEqual([undefined, []])
    ring.append('price', [alpha], { json: '2' })
    expect(placesOf(ring.since(`${run}-1`))).toEqual([2])
  })

  it('takes what other servers told in its place, each once', () => {
    const ring = open(2)
    expect(ring.put(2, 'price', [alpha], { json: '"again"' })).toBe(undefined)
    expect(ring.put(3, 'retracted', [alpha], { json: '3' })?.place).toBe(3)
    expect(placesOf(ring.since(`${run}-1`))).toEqual([2, 3])
  })

  it('begins anew behind a gap: nobody is given a row with a hole', () => {
    const ring = open(2)
    ring.put(7, 'price', [alpha], { json: '7' })
    expect([1, 2, 5].map((place) => ring.since(`${run}-${place}`))).toEqual([undefined, undefined, undefined])
    expect(placesOf(ring.since(`${run}-6`))).toEqual([7])
  })

  it('knows a place that another server told ahead of it, but none far ahead', () => {
    const ring = open(2)
    expect([ring.placeOf(`${run}-100002`), ring.placeOf(`${run}-100003`)]).toEqual([100_002, undefined])
  })
})

describe('an event', () => {
  it('is written as a line for its id, its name and its data', () => {
    const event = open(0).append('retracted', [alpha], { json: '{"block":5}' })
    expect(textOf(event.bytes)).toBe(`id: ${run}-1\nevent: retracted\ndata: {"block":5}\n\n`)
  })

  it('is told to who wants one of its addresses, in words of these alone', () => {
    const event = open(0).append('retracted', [alpha, beta], { json: 'all', tellOf: (own) => own.join('+') })
    expect(textOf(event.bytesFor(new Set([beta, '0xcc'])))).toBe(`id: ${run}-1\nevent: retracted\ndata: ${beta}\n\n`)
    expect(event.bytesFor(new Set(['0xcc']))).toBe(undefined)
  })

  it('of a single token is the same bytes for everybody', () => {
    const event = open(0).append('price', [alpha], { json: '1' })
    expect(event.bytesFor(new Set([alpha]))).toBe(event.bytes)
  })
})
