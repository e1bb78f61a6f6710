import type { Ended, Ready } from '@chainboard/sdk'
import type { PricePage } from '../priceBook.ts'
import { createEventRing, type RingLimits, type StreamEvent } from './eventRing.ts'
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
  end(word: Ended): void
  /** To be called when its line is gone. */
  leave(): void
}

export type ReaderWish = {
  readonly principal: { readonly id: string; readonly tier: string }
  /** In small letters; undefined: all tokens. */
  readonly addresses: ReadonlySet<string> | undefined
  readonly lastEventId: string | undefined
  readonly sink: Sink
}

export type PriceStream = {
  /** A place for one more reader, or the limit that leaves none. Nothing is written before `open`. */
  hasRoom(principal: ReaderWish['principal']): true | { readonly limit: number }
  open(wish: ReaderWish): Reader
  /** Looks whether there is something to tell. */
  look(): void
  follow(move: IndexMove): void
  readers(): number
  /** Ends all streams: their readers come back. */
  close(): void
}

/** Streams of one address without a key, of one key, of everybody. */
const readersOfAddressMax = 10
const readersOfKeyMax = 100
const readersMax = 5_000
const heartbeatMs = 15_000
/** The wait before a reader comes back, unless it knows better. */
const retryMs = 2_000
/** Bytes on their way to a reader who does not take them, above which it is let go. They are shared with the other readers. */
const waitingBytesMax = 4 * 1024 * 1024
const ringLimits: RingLimits = { eventsMax: 8_192, bytesMax: 3 * 1024 * 1024 }
const timerMsMax = 2 ** 31 - 1

export type StreamDeps = { readonly page: () => PricePage; readonly nowSeconds: () => number }

type Kept = Pick<ReaderWish, 'principal' | 'addresses' | 'sink'>

/** The price changes of all tokens, to everybody who listens. An event is written once, whoever reads it. */
export function createPriceStream({ page, nowSeconds }: StreamDeps, limits: RingLimits = ringLimits): PriceStream {
  const ring = createEventRing(limits)
  const feed = createPriceFeed({ page, ring, nowSeconds })
  const readers = new Set<Kept>()
  const counts = new Map<string, number>()
  let turnTimer: NodeJS.Timeout | undefined

  const letGo = (reader: Kept) => {
    if (!readers.delete(reader)) return
    const { id } = reader.principal
    const left = (counts.get(id) ?? 1) - 1
    if (left > 0) counts.set(id, left)
    else counts.delete(id)
  }
  const dropIfSlow = (reader: Kept) => {
    if (reader.sink.writableLength <= waitingBytesMax) return
    letGo(reader)
    reader.sink.destroy()
  }
  const publish = (events: readonly StreamEvent[]) => {
    if (events.length === 0 || readers.size === 0) return
    const all = Buffer.concat(events.map(({ bytes }) => bytes))
    for (const reader of readers) {
      const { addresses, sink } = reader
      if (!addresses) sink.write(all)
      else for (const event of events) tell(event, reader)
      dropIfSlow(reader)
    }
  }
  const look = () => {
    publish(feed.look())
    clearTimeout(turnTimer)
    // A price turns stale by the clock, without any news.
    const waitMs = (page().untilSeconds - nowSeconds()) * 1000 + 1
    if (waitMs < timerMsMax) turnTimer = setTimeout(look, waitMs).unref()
  }
  const heartbeat = setInterval(() => {
    for (const reader of readers) {
      reader.sink.write(':\n\n')
      dropIfSlow(reader)
    }
  }, heartbeatMs).unref()
  look()

  return {
    look,
    follow: (move) => publish(feed.follow(move)),
    readers: () => readers.size,
    hasRoom: ({ id, tier }) => {
      const limit = tier === 'shared' ? readersOfAddressMax : readersOfKeyMax
      if ((counts.get(id) ?? 0) >= limit) return { limit }
      return readers.size >= readersMax ? { limit: readersMax } : true
    },
    open: ({ principal, addresses, lastEventId, sink }) => {
      const missed = lastEventId === undefined ? undefined : ring.since(lastEventId)
      const ready: Ready = { resumed: missed !== undefined, block: page().snapshot.atBlock?.number ?? null }
      const id = missed && lastEventId ? lastEventId : ring.lastId()
      sink.write(`retry: ${retryMs}\nid: ${id}\nevent: ready\ndata: ${JSON.stringify(ready)}\n\n`)
      const reader = { principal, addresses, sink }
      for (const event of missed ?? []) tell(event, reader)
      readers.add(reader)
      counts.set(principal.id, (counts.get(principal.id) ?? 0) + 1)
      return {
        end: (word) => {
          letGo(reader)
          sink.end(`event: ended\ndata: ${JSON.stringify(word)}\n\n`)
        },
        leave: () => letGo(reader),
      }
    },
    close: () => {
      clearInterval(heartbeat)
      clearTimeout(turnTimer)
      for (const reader of [...readers]) {
        letGo(reader)
        reader.sink.end()
      }
    },
  }
}

function tell(event: StreamEvent, { addresses, sink }: Kept): void {
  const bytes = addresses ? event.bytesFor(addresses) : event.bytes
  if (bytes) sink.write(bytes)
}
