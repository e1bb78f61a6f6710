import type { WireEnded, WireReady } from '@chainboard/contract'
import type { CachedPrices } from '../priceCache.ts'
import { createEventRing, type EventName, type EventWords, type RingLimits, type StreamEvent } from './eventRing.ts'
import { createPriceFeed, type IndexMove } from './priceFeed.ts'
import { createReaders, type Kept, type ReaderWish, type SharedStreams, type Spare } from './readers.ts'

export type Reader = {
  /** Ends it with a last word. */
  end(word: WireEnded): void
  /** To be called when its line is gone. */
  leave(): void
}

export type PriceStream = {
  /**
   * A place for one more reader, or the limit that leaves none. Nothing is written before `open`. Where all places are taken, another
   * stream ends for an address that has none. `waitSeconds`: the address has taken a place so, and may again after these.
   */
  hasRoom(wish: Pick<ReaderWish, 'principal' | 'client'>): true | { readonly limit: number; readonly waitSeconds?: number }
  open(wish: ReaderWish): Reader
  /** Looks whether there is something to tell. */
  look(): void
  follow(move: IndexMove): void
  /** Tells events that another server may have made. If earlier events are missing, all streams end, and their readers start over. */
  tell(events: readonly ToldEvent[]): void
  readers(): number
  /** Ends all streams: their readers come back. */
  close(): void
}

/** An event with its place in the row that all servers tell. */
export type ToldEvent = {
  readonly place: number
  readonly name: EventName
  readonly addresses: readonly string[]
  readonly words: EventWords
}

/** What a reader is told who had to go, and whose address has other streams. */
const madeRoom = 'All streams are in use, and your address had the most: this one was closed to make room for another address'
const heartbeatMs = 15_000
/** The wait before a reader comes back, unless it knows better. */
const retryMs = 2_000
/** That of a reader who made room: other servers count its stream for two seconds more, and would refuse it until then. */
const madeRoomMs = 3_000
const ringLimits: RingLimits = { eventsMax: 8_192, bytesMax: 3 * 1024 * 1024 }
const timerMsMax = 2 ** 31 - 1

export type StreamDeps = {
  readonly prices: () => CachedPrices
  readonly nowSeconds: () => number
  /** Milliseconds of any clock that never goes back; absent: the process's. */
  readonly nowMs?: () => number
  /** Absent: there is no other server. */
  readonly sharedStreams?: SharedStreams | undefined
}

type StreamOptions = {
  readonly limits?: RingLimits
  /** What the row of events is called that all servers tell; absent: this server tells its own. */
  readonly run?: string | undefined
}

/** The price changes of all tokens, to everybody who listens. An event is written once, whoever reads it. */
export function createPriceStream(
  { prices, nowSeconds, nowMs = () => performance.now(), sharedStreams }: StreamDeps,
  { limits = ringLimits, run }: StreamOptions = {},
): PriceStream {
  const ring = createEventRing(limits, run)
  const feed = run === undefined ? createPriceFeed({ prices, ring, nowSeconds }) : undefined
  const readers = createReaders(sharedStreams, nowMs)
  let turnTimer: NodeJS.Timeout | undefined

  const publish = (events: readonly StreamEvent[]) => {
    if (events.length === 0 || readers.count() === 0) return
    const all = Buffer.concat(events.map(({ bytes }) => bytes))
    const begin = events[0]?.place ?? 0
    readers.writeEach((reader) => {
      const { addresses, sink, after } = reader
      if (!addresses && after < begin) sink.write(all)
      else for (const event of events) tell(event, reader)
    })
  }
  const end = (reader: Kept, lastWords: string) => {
    readers.letGo(reader)
    reader.sink.end(lastWords)
  }
  const look = () => {
    if (!feed) return
    publish(feed.look())
    clearTimeout(turnTimer)
    // A price turns stale by the clock, without any news.
    const waitMs = (prices().untilSeconds - nowSeconds()) * 1000 + 1
    if (waitMs < timerMsMax) turnTimer = setTimeout(look, waitMs).unref()
  }
  // Another server has told it already: this one tells what comes after it.
  const findAhead = (id: string) => (feed === undefined && (ring.placeOf(id) ?? 0) > ring.last() ? [] : undefined)
  const heartbeat = setInterval(() => readers.writeEach(({ sink }) => sink.write(':\n\n')), heartbeatMs).unref()
  look()

  return {
    look,
    follow: (move) => publish(feed?.follow(move) ?? []),
    tell: (told) => {
      const next = told.find(({ place }) => place > ring.last())
      if (next && ring.last() > 0 && next.place !== ring.last() + 1)
        readers.endAll(`: events were lost, reconnect\nretry: ${retryMs}\n\n`)
      publish(told.flatMap(({ place, name, addresses, words }) => ring.put(place, name, addresses, words) ?? []))
    },
    readers: readers.count,
    hasRoom: (wish) => {
      const room = readers.findRoom(wish)
      if ('limit' in room) return room
      if (room.spare) end(room.spare.reader, sayWhy(room.spare))
      return true
    },
    open: ({ principal, client, addresses, lastEventId, sink }) => {
      const missed = lastEventId === undefined ? undefined : (ring.since(lastEventId) ?? findAhead(lastEventId))
      const ready: WireReady = { resumed: missed !== undefined, block: prices().snapshot.atBlock?.number ?? null }
      const id = missed && lastEventId ? lastEventId : ring.lastId()
      sink.write(`retry: ${retryMs}\nid: ${id}\nevent: ready\ndata: ${JSON.stringify(ready)}\n\n`)
      const after = (missed && lastEventId && ring.placeOf(lastEventId)) || 0
      const reader = { principal, client, addresses, sink, after }
      for (const event of missed ?? []) tell(event, reader)
      readers.add(reader)
      return {
        end: (word) => end(reader, sayEnded(word)),
        leave: () => readers.letGo(reader),
      }
    },
    close: () => {
      clearInterval(heartbeat)
      clearTimeout(turnTimer)
      readers.endAll(`: this server is shutting down, reconnect\nretry: ${retryMs}\n\n`)
    },
  }
}

const sayEnded = (word: WireEnded) => `event: ended\ndata: ${JSON.stringify(word)}\n\n`

/** A reader with other streams is told why it makes room. The others come back in turn by themselves, and miss nothing. */
function sayWhy({ isOnly, waitMs }: Spare): string {
  if (!isOnly) return sayEnded({ code: 'RATE_LIMIT_EXCEEDED', message: madeRoom })
  return `: all streams are in use, and others wait: reconnect\nretry: ${Math.max(madeRoomMs, Math.ceil(waitMs))}\n\n`
}

function tell(event: StreamEvent, { addresses, sink, after }: Kept): void {
  if (event.place <= after) return
  const bytes = addresses ? event.bytesFor(addresses) : event.bytes
  if (bytes) sink.write(bytes)
}
