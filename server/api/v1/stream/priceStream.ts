import type { WireEnded, WireReady } from '@chainboard/contract'
import type { CachedPrices } from '../priceCache.ts'
import { createEventRing, type EventName, type EventWords, type RingLimits, type StreamEvent } from './eventRing.ts'
import { createPriceFeed, type IndexMove } from './priceFeed.ts'

/** Where a reader's bytes go: a response of node:http. */
export type Sink = {
  write(bytes: Buffer | string): unknown
  /** Bytes written that the other side has not taken. */
  readonly writableLength: number
  end(bytes?: string): unknown
  destroy(): unknown
}

export type Reader = {
  /** Ends it with a last word. */
  end(word: WireEnded): void
  /** To be called when its line is gone. */
  leave(): void
}

export type ReaderWish = {
  readonly principal: { readonly id: string; readonly tier: string }
  /** The address it comes from, as `clientOf` names it. */
  readonly client: string
  /** In small letters; undefined: all tokens. */
  readonly addresses: ReadonlySet<string> | undefined
  readonly lastEventId: string | undefined
  readonly sink: Sink
}

export type PriceStream = {
  /** A place for one more reader, or the limit that leaves none. Nothing is written before `open`. */
  hasRoom(wish: Pick<ReaderWish, 'principal' | 'client'>): true | { readonly limit: number }
  open(wish: ReaderWish): Reader
  /** Looks whether there is something to tell. */
  look(): void
  follow(move: IndexMove): void
  /** Tells events that another server may have made. Where some are missing before them, all streams end: their readers begin anew. */
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

/** Streams of one address without a key, of one key, of everybody. */
const readersWithoutKeyMax = 10
const readersOfKeyMax = 100
const readersMax = 5_000
/**
 * Streams of one address without a key and with free ones, which cost a signature each: room for a firm or a school behind it.
 * Keys that the operator gave out count for themselves alone.
 */
const freeReadersOfAddressMax = 200
/** Streams without a key and with free ones in all: the rest is kept for keys that the operator gave out. */
const freeReadersMax = 4_000
const freeTiers = new Set(['shared', 'free'])
const heartbeatMs = 15_000
/** The wait before a reader comes back, unless it knows better. */
const retryMs = 2_000
/** Bytes on their way to a reader who does not take them, above which it is let go. They are shared with the other readers. */
const waitingBytesMax = 4 * 1024 * 1024
const ringLimits: RingLimits = { eventsMax: 8_192, bytesMax: 3 * 1024 * 1024 }
const timerMsMax = 2 ** 31 - 1

export type StreamDeps = { readonly prices: () => CachedPrices; readonly nowSeconds: () => number }

/** `after`: the place of the last event that it knows, which may be ahead of ours. */
type Kept = Pick<ReaderWish, 'principal' | 'client' | 'addresses' | 'sink'> & { readonly after: number }

type StreamOptions = {
  readonly limits?: RingLimits
  /** What the row of events is called that all servers tell; absent: this server tells its own. */
  readonly run?: string | undefined
}

/** The price changes of all tokens, to everybody who listens. An event is written once, whoever reads it. */
export function createPriceStream(
  { prices, nowSeconds }: StreamDeps,
  { limits = ringLimits, run }: StreamOptions = {},
): PriceStream {
  const ring = createEventRing(limits, run)
  const feed = run === undefined ? createPriceFeed({ prices, ring, nowSeconds }) : undefined
  const readers = createReaders()
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
    hasRoom: readers.hasRoom,
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
        end: (word) => {
          readers.letGo(reader)
          sink.end(`event: ended\ndata: ${JSON.stringify(word)}\n\n`)
        },
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

/** Those who listen, counted for whatever limits them. */
function createReaders() {
  const readers = new Set<Kept>()
  const counts = new Map<string, number>()
  const change = (reader: Kept, by: 1 | -1) => {
    for (const { subject } of limitsOf(reader)) {
      const count = (counts.get(subject) ?? 0) + by
      if (count > 0) counts.set(subject, count)
      else counts.delete(subject)
    }
  }
  const letGo = (reader: Kept) => {
    if (readers.delete(reader)) change(reader, -1)
  }
  const hasRoom: PriceStream['hasRoom'] = (wish) => {
    const reached = limitsOf(wish).find(({ subject, max }) => (counts.get(subject) ?? 0) >= max)
    return reached ? { limit: reached.max } : true
  }
  return {
    count: () => readers.size,
    endAll: (lastWords: string) => {
      for (const reader of [...readers]) {
        letGo(reader)
        reader.sink.end(lastWords)
      }
    },
    hasRoom,
    add: (reader: Kept) => {
      readers.add(reader)
      change(reader, 1)
    },
    letGo,
    /** Lets go of those who do not take what is written. */
    writeEach: (write: (reader: Kept) => void) => {
      for (const reader of readers) {
        write(reader)
        if (reader.sink.writableLength <= waitingBytesMax) continue
        letGo(reader)
        reader.sink.destroy()
      }
    },
  }
}

/** What a stream counts for, and how many streams may count for it. */
function limitsOf({ principal: { id, tier }, client }: Pick<ReaderWish, 'principal' | 'client'>) {
  const all = { subject: 'all', max: readersMax }
  const own = { subject: `of ${id}`, max: tier === 'shared' ? readersWithoutKeyMax : readersOfKeyMax }
  if (!freeTiers.has(tier)) return [own, all]
  return [own, { subject: `from ${client}`, max: freeReadersOfAddressMax }, { subject: 'free', max: freeReadersMax }, all]
}

function tell(event: StreamEvent, { addresses, sink, after }: Kept): void {
  if (event.place <= after) return
  const bytes = addresses ? event.bytesFor(addresses) : event.bytes
  if (bytes) sink.write(bytes)
}
