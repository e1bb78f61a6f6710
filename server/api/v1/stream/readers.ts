import { streams } from '../../../budgets/budgets.ts'
import { networkOf } from '../../../budgets/networkOf.ts'

/** Where a reader's bytes go: a response of node:http. */
export type Sink = {
  write(bytes: Buffer | string): unknown
  /** Bytes written that the other side has not taken. */
  readonly writableLength: number
  end(bytes?: string): unknown
  destroy(): unknown
}

/** Who wants to listen, and to what. */
export type ReaderWish = {
  readonly principal: { readonly id: string; readonly tier: string }
  /** The address it comes from, as `clientOf` names it. */
  readonly client: string
  /** In small letters; undefined: all tokens. */
  readonly addresses: ReadonlySet<string> | undefined
  readonly lastEventId: string | undefined
  readonly sink: Sink
}

/** A reader, and what it counts for. `after`: the place of the last event that it knows, which may be ahead of ours. */
export type Kept = Pick<ReaderWish, 'principal' | 'client' | 'addresses' | 'sink'> & { readonly after: number }

/** What other servers have open of the streams that count for the same address, network or key. */
export type SharedStreams = {
  readonly others: (subject: string) => number
  /** Takes what tells the others of this server's streams. */
  readonly share: (counts: () => ReadonlyMap<string, number>) => void
}

/** Bytes on their way to a reader who does not take them, above which it is let go. They are shared with the other readers. */
const waitingBytesMax = 4 * 1024 * 1024
const freeTiers = new Set(['shared', 'free'])

/** Those who listen, counted for whatever limits them. */
export function createReaders(shared: SharedStreams | undefined) {
  const readers = new Set<Kept>()
  const counts = new Map<string, number>()
  const countOf = (subject: string) => counts.get(subject) ?? 0
  const countOfAll = (subject: string) => countOf(subject) + (shared?.others(subject) ?? 0)
  const change = (reader: Kept, by: 1 | -1) => {
    for (const { subject } of limitsOf(reader)) {
      const count = countOf(subject) + by
      if (count > 0) counts.set(subject, count)
      else counts.delete(subject)
    }
  }
  const letGo = (reader: Kept) => {
    if (readers.delete(reader)) change(reader, -1)
  }
  /** The newest reader of the address that has most without a paid key; undefined where none has more than one. @param network only there */
  const findSpare = (network: string | undefined): Kept | undefined => {
    let [spare, most]: [Kept | undefined, number] = [undefined, 1]
    for (const reader of readers) {
      if (!isFree(reader) || (network !== undefined && networkOf(reader.client) !== network)) continue
      const count = countOf(addressOf(reader))
      if (count > most || (count === most && spare?.client === reader.client)) [spare, most] = [reader, count]
    }
    return spare
  }
  shared?.share(() => new Map([...counts].filter(([subject]) => subject !== everybody && subject !== everybodyFree)))
  return {
    count: () => readers.size,
    endAll: (lastWords: string) => {
      for (const reader of [...readers]) {
        letGo(reader)
        reader.sink.end(lastWords)
      }
    },
    /**
     * A place for one more reader, or the limit that leaves none. An address that has no stream takes the place of one of the address
     * that has most: a stranger gets a stream while any address holds two. `spare` is the reader who has to make room.
     */
    findRoom: (
      wish: Pick<ReaderWish, 'principal' | 'client'>,
    ): { readonly spare?: Kept | undefined } | { readonly limit: number } => {
      const reached = limitsOf(wish).find(({ subject, max, ofAll }) => (ofAll ? countOfAll(subject) : countOf(subject)) >= max)
      if (!reached) return {}
      const isNewcomer = isFree(wish) && countOfAll(addressOf(wish)) === 0
      const isOfNetwork = reached.subject === withinOf(wish)
      const isShared = isOfNetwork || reached.subject === everybodyFree || reached.subject === everybody
      const spare = isNewcomer && isShared ? findSpare(isOfNetwork ? networkOf(wish.client) : undefined) : undefined
      return spare ? { spare } : { limit: reached.max }
    },
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

const isFree = ({ principal }: Pick<ReaderWish, 'principal'>) => freeTiers.has(principal.tier)
const addressOf = ({ client }: Pick<ReaderWish, 'client'>) => `from ${client}`
const withinOf = ({ client }: Pick<ReaderWish, 'client'>) => `within ${networkOf(client)}`

const [everybody, everybodyFree] = ['all', 'free']

/** What a stream counts for, and how many streams may count for it: on all servers, or on this one. */
function limitsOf(wish: Pick<ReaderWish, 'principal' | 'client'>) {
  const { principal } = wish
  const all = { subject: everybody, max: streams.all, ofAll: false }
  if (!isFree(wish)) return [{ subject: `of ${principal.id}`, max: streams.paidKey, ofAll: true }, all]
  const own = {
    subject: `of ${principal.id}`,
    max: principal.tier === 'shared' ? streams.withoutKey : streams.address,
    ofAll: true,
  }
  return [
    own,
    { subject: addressOf(wish), max: streams.address, ofAll: true },
    { subject: withinOf(wish), max: streams.network, ofAll: true },
    { subject: everybodyFree, max: streams.free, ofAll: false },
    all,
  ]
}
