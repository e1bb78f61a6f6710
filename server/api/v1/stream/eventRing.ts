import { randomBytes } from 'node:crypto'
import { toOwnBytes } from '../../toOwnBytes.ts'

/** Something to tell, written once for all readers. */
export type StreamEvent = {
  /** Place in the row of all events since the start, from 1. */
  readonly place: number
  /** Whom it is about, in small letters. */
  readonly addresses: readonly string[]
  readonly bytes: Buffer
  /** What it says to who wants to hear of these addresses only: undefined, nothing. */
  bytesFor(wanted: ReadonlySet<string>): Buffer | undefined
}

/** What an event says. `tellOf` tells it of some of its addresses; without one it is of a single token. */
export type EventWords = { readonly json: string; tellOf?(addresses: readonly string[]): string }

export type EventName = 'price' | 'retracted'

export type EventRing = {
  /** @returns the event with its place and its bytes */
  append(name: EventName, addresses: readonly string[], words: EventWords): StreamEvent
  /**
   * Takes an event that has its place already. One that does not follow on the last begins a new row.
   * @returns the event; undefined for one that is there
   */
  put(place: number, name: EventName, addresses: readonly string[], words: EventWords): StreamEvent | undefined
  /** Events after the one called `id`; undefined when they are not all kept, or it is of another run of the server. */
  since(id: string): readonly StreamEvent[] | undefined
  /** What the newest event is called; a name also before the first one. */
  lastId(): string
  /** Place of the newest event; 0 before the first one. */
  last(): number
  /** The place that an id of this run names, also when it is ahead of the newest: another server told it. Undefined: of no use here. */
  placeOf(id: string): number | undefined
}

export type RingLimits = { readonly eventsMax: number; readonly bytesMax: number }

/** So far ahead another server may be that told an event. */
const aheadMax = 100_000

/** The newest events, so that a reader whose line broke can go on where it was. @param run tells runs of the server apart */
export function createEventRing({ eventsMax, bytesMax }: RingLimits, run = randomBytes(4).toString('hex')): EventRing {
  const events: StreamEvent[] = []
  let kept = 0
  let last = 0

  const dropOldest = () => {
    let count = 0
    while (events.length - count > eventsMax || (kept > bytesMax && count < events.length)) {
      kept -= events[count]?.bytes.length ?? 0
      count += 1
    }
    events.splice(0, count)
  }
  const add = (name: EventName, addresses: readonly string[], { json, tellOf }: EventWords): StreamEvent => {
    last += 1
    const head = `id: ${run}-${last}\nevent: ${name}\ndata: `
    const bytes = toOwnBytes(`${head}${json}\n\n`)
    const bytesFor = (wanted: ReadonlySet<string>) => {
      if (!addresses.some((address) => wanted.has(address))) return undefined
      return tellOf ? Buffer.from(`${head}${tellOf(addresses.filter((address) => wanted.has(address)))}\n\n`) : bytes
    }
    const event = { place: last, addresses, bytes, bytesFor }
    events.push(event)
    kept += bytes.length
    dropOldest()
    return event
  }
  const placeOf = (id: string) => {
    const [, itsRun, digits] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id) ?? []
    const place = Number(digits)
    return itsRun === run && place <= last + aheadMax ? place : undefined
  }
  return {
    append: add,
    put: (place, name, addresses, words) => {
      if (place <= last) return undefined
      if (place !== last + 1) {
        events.length = 0
        kept = 0
        last = place - 1
      }
      return add(name, addresses, words)
    },
    last: () => last,
    placeOf,
    since: (id) => {
      const place = placeOf(id)
      const oldest = last - events.length
      if (place === undefined || !(place >= oldest && place <= last)) return undefined
      return events.slice(place - oldest)
    },
    lastId: () => `${run}-${last}`,
  }
}
