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

export type EventRing = {
  /** @returns the event with its place and its bytes */
  append(name: 'price' | 'retracted', addresses: readonly string[], words: EventWords): StreamEvent
  /** Events after the one called `id`; undefined when they are not all kept, or it is of another run of the server. */
  since(id: string): readonly StreamEvent[] | undefined
  /** What the newest event is called; a name also before the first one. */
  lastId(): string
}

export type RingLimits = { readonly eventsMax: number; readonly bytesMax: number }

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
  return {
    append: (name, addresses, { json, tellOf }) => {
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
    },
    since: (id) => {
      const [, itsRun, digits] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id) ?? []
      const place = Number(digits)
      const oldest = last - events.length
      if (itsRun !== run || !(place >= oldest && place <= last)) return undefined
      return events.slice(place - oldest)
    },
    lastId: () => `${run}-${last}`,
  }
}
