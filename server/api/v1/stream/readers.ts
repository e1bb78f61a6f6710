import { budgets, streams } from '../../../budgets/budgets.ts'
import { createMeter } from '../../../budgets/createMeter.ts'
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

type Asker = Pick<ReaderWish, 'principal' | 'client'>

/** A reader who has to make room. `isOnly`: its address has no other stream. `waitMs`: until the address may take a place in turn. */
export type Spare = { readonly reader: Kept; readonly isOnly: boolean; readonly waitMs: number }

/** A place, perhaps that of `spare`; or the limit that leaves none. `waitSeconds`: until the address may take one of another. */
export type Room = { readonly spare?: Spare } | { readonly limit: number; readonly waitSeconds?: number }

/** Bytes on their way to a reader who does not take them, above which it is let go. They are shared with the other readers. */
const waitingBytesMax = 4 * 1024 * 1024
const freeTiers = new Set(['shared', 'free'])

/** How many streams are open here for one subject. */
type Count = { open: number }
/** Of a reader: since when, and what is open for its address and its network. */
type Stay = { readonly sinceMs: number; readonly network: string; readonly ofAddress: Count; readonly ofNetwork: Count }

/**
 * Who makes room: the newest reader of the address that has most; where all have one, the one who has listened for longest in the network
 * that has most. Nobody with a paid key. @param only the network to look in
 */
function findSpare(readers: ReadonlyMap<Kept, Stay>, only?: string) {
  let spare: readonly [Kept, Stay] | undefined
  for (const each of readers) {
    const [reader, { network, ofAddress, ofNetwork }] = each
    if (!isFree(reader) || (only !== undefined && network !== only)) continue
    const [most, widest] = spare ? [spare[1].ofAddress.open, spare[1].ofNetwork.open] : [0, 0]
    const isNewer = ofAddress.open > 1 && ofAddress === spare?.[1].ofAddress
    if (ofAddress.open > most || (ofAddress.open === most && (ofNetwork.open > widest || isNewer))) spare = each
  }
  return spare
}

/** Those who listen, counted for whatever limits them. @param nowMs milliseconds of any clock that never goes back */
export function createReaders(shared: SharedStreams | undefined, nowMs: () => number) {
  // Those who have listened for longest come first.
  const readers = new Map<Kept, Stay>()
  const counts = new Map<string, Count>()
  const turns = createMeter(budgets.streamTurns, nowMs)
  const find = (subject: string): Count => counts.get(subject) ?? { open: 0 }
  const countOfAll = (subject: string) => find(subject).open + (shared?.others(subject) ?? 0)
  const change = (reader: Kept, by: 1 | -1) => {
    for (const { subject } of limitsOf(reader)) {
      const count = find(subject)
      count.open += by
      if (count.open > 0) counts.set(subject, count)
      else counts.delete(subject)
    }
  }
  const letGo = (reader: Kept) => {
    if (readers.delete(reader)) change(reader, -1)
  }
  shared?.share(() => new Map([...counts].flatMap(([subject, { open }]) => (ofThisServer.has(subject) ? [] : [[subject, open]]))))
  return {
    count: () => readers.size,
    endAll: (lastWords: string) => {
      for (const reader of [...readers.keys()]) {
        letGo(reader)
        reader.sink.end(lastWords)
      }
    },
    /**
     * A place for one more reader. Where all are taken, or all of a network, an address without a stream takes one of another: the only one
     * that an address has once a minute. So a stranger always gets one, and nobody drives others out again and again.
     */
    findRoom: (wish: Asker): Room => {
      const reached = limitsOf(wish).filter(
        ({ subject, max, ofAll }) => (ofAll ? countOfAll(subject) : find(subject).open) >= max,
      )
      const [first] = reached
      if (!first) return {}
      const isNewcomer = isFree(wish) && countOfAll(addressOf(wish)) === 0
      if (!isNewcomer || reached.some(({ isShared }) => !isShared)) return { limit: first.max }
      const network = reached.find(({ subject }) => subject === withinOf(wish))?.subject
      const found = findSpare(readers, network) ?? (reached.length > 1 ? findSpare(readers) : undefined)
      // All streams of the network are at other servers: one more is open here, which makes room for the next.
      if (!found) return {}
      const [reader, { sinceMs }] = found
      const isOnly = countOfAll(addressOf(reader)) === 1
      const turn = isOnly ? turns.spend(wish.client) : undefined
      if (turn?.ok === false) return { limit: first.max, waitSeconds: turn.resetSeconds }
      const waitMs = Math.max(0, sinceMs + budgets.streamTurns.windowSeconds * 1_000 - nowMs())
      return { spare: { reader, isOnly, waitMs } }
    },
    add: (reader: Kept) => {
      change(reader, 1)
      const network = withinOf(reader)
      readers.set(reader, { sinceMs: nowMs(), network, ofAddress: find(addressOf(reader)), ofNetwork: find(network) })
    },
    letGo,
    /** Lets go of those who do not take what is written. */
    writeEach: (write: (reader: Kept) => void) => {
      for (const reader of readers.keys()) {
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

const [everybody, everybodyFree, everybodyPaid] = ['all', 'free', 'paid']
const ofThisServer = new Set([everybody, everybodyFree, everybodyPaid])

/** What may be open for a subject: on all servers, or on this one. `isShared`: with others, who may have to make room. */
type StreamLimit = { readonly subject: string; readonly max: number; readonly ofAll: boolean; readonly isShared: boolean }

/** What a stream counts for. */
function limitsOf(wish: Asker): StreamLimit[] {
  const { principal } = wish
  const own = (subject: string, max: number) => ({ subject, max, ofAll: true, isShared: false })
  const here = (subject: string, max: number) => ({ subject, max, ofAll: false, isShared: true })
  const all = here(everybody, streams.all)
  if (!isFree(wish)) return [own(`of ${principal.id}`, streams.paidKey), here(everybodyPaid, streams.paid), all]
  return [
    own(`of ${principal.id}`, principal.tier === 'shared' ? streams.withoutKey : streams.address),
    own(addressOf(wish), streams.address),
    { ...own(withinOf(wish), streams.network), isShared: true },
    here(everybodyFree, streams.free),
    all,
  ]
}
