import { type Address, daySeconds } from '@chainboard/core'

/** A change of more than this part of a supply is worth a word. */
const changeShare = 0.1
/** Supplies of a day that are kept for a token; of more than these the lowest and the highest stay. */
const kindsMax = 50

/** Whole tokens, and when, in unix seconds; undefined: before the server read it. */
export type SeenSupply = { readonly supply: number; readonly seenAtSeconds: number | undefined }

/** The supply that was furthest from the present one when it was last seen, and the present one when it was first seen. */
export type SupplyChange = { readonly from: SeenSupply; readonly to: SeenSupply & { readonly seenAtSeconds: number } }

/** A supply from when it was first seen until it was last seen. `isStored`: it was only found stored. */
type Held = { readonly supply: number; readonly firstSeconds: number; readonly lastSeconds: number; readonly isStored: boolean }

/** `decimals`: by which these are counted. With others, the numbers of before say nothing. */
type Entry = { readonly decimals: number; recent: number[]; held: Held[] }

type Reading = { readonly supply: number; readonly storedSupply: number; readonly decimals: number }

export type SupplyBook = {
  /**
   * Takes a reading of the chain, in whole tokens; of a token that is not listed nothing is kept.
   * @param storedSupply as it was read last, for the first reading since the start or by these decimals; 0: never
   */
  note(token: Address, reading: Reading, atSeconds: number): void
  /** Whole tokens by the last three readings; undefined before there are three, where none was stored. */
  find(token: Address): number | undefined
  /** Whole tokens to serve: the last reading, unless that is for `findChange` to tell of. Then what `find` says; undefined like that. */
  findServed(token: Address, nowSeconds: number): number | undefined
  /** A change of more than 10 % within the last 24 hours; undefined when there was none. */
  findChange(token: Address, nowSeconds: number): SupplyChange | undefined
}

/**
 * Remembers what supplies were within the last 24 hours, since the start. What counts is the median of three readings in a row: what a
 * node says once, and neither before nor after, does not show.
 */
export function createSupplyBook(isListed: (token: Address) => boolean): SupplyBook {
  const entries = new Map<Address, Entry>()
  return {
    note: (token, { supply, storedSupply, decimals }, atSeconds) => {
      if (!isListed(token)) return void entries.delete(token)
      const known = entries.get(token)
      const entry = known?.decimals === decimals ? known : { decimals, ...begin(storedSupply, atSeconds) }
      entries.set(token, entry)
      entry.recent = [...entry.recent, supply].slice(-3)
      const median = medianOfThree(entry.recent)
      if (median !== undefined) entry.held = hold(entry.held, median, { atSeconds, isRead: median === supply })
    },
    find: (token) => entries.get(token)?.held.at(-1)?.supply,
    findServed: (token, nowSeconds) => {
      const { recent = [], held = [] } = entries.get(token) ?? {}
      const last = recent.at(-1)
      const median = held.at(-1)?.supply
      if (last === undefined || median === undefined) return undefined
      const isQuiet = held.every((one) => isOver(one, nowSeconds) || changeOf(one, { supply: last }) <= changeShare)
      return isQuiet ? last : median
    },
    findChange: (token, nowSeconds) => {
      const held = entries.get(token)?.held ?? []
      const now = held.at(-1)
      if (!now || held.length === 1) return undefined
      const before = held.slice(0, -1).filter((one) => !isOver(one, nowSeconds))
      const [furthest] = before.toSorted((a, b) => changeOf(b, now) - changeOf(a, now))
      if (!furthest || changeOf(furthest, now) <= changeShare) return undefined
      return {
        from: { supply: furthest.supply, seenAtSeconds: furthest.isStored ? undefined : furthest.lastSeconds },
        to: { supply: now.supply, seenAtSeconds: now.firstSeconds },
      }
    },
  }
}

/** What was stored counts like two readings: one that is far off has to be confirmed. */
function begin(storedSupply: number, atSeconds: number): Omit<Entry, 'decimals'> {
  if (storedSupply === 0) return { recent: [], held: [] }
  const stored = { supply: storedSupply, firstSeconds: atSeconds, lastSeconds: atSeconds, isStored: true }
  return { recent: [storedSupply, storedSupply], held: [stored] }
}

function isOver({ lastSeconds }: Held, nowSeconds: number): boolean {
  return lastSeconds <= nowSeconds - daySeconds
}

function medianOfThree(readings: readonly number[]): number | undefined {
  return readings.length < 3 ? undefined : readings.toSorted((a, b) => a - b)[1]
}

function hold(held: readonly Held[], supply: number, { atSeconds, isRead }: { atSeconds: number; isRead: boolean }): Held[] {
  const last = held.at(-1)
  if (last?.supply === supply)
    return [...held.slice(0, -1), { ...last, lastSeconds: atSeconds, isStored: last.isStored && !isRead }]
  const kept = held.filter((one) => !isOver(one, atSeconds))
  const now = { supply, firstSeconds: atSeconds, lastSeconds: atSeconds, isStored: false }
  return [...(kept.length < kindsMax ? kept : dropOne(kept)), now]
}

/** Without the oldest that is neither the lowest nor the highest. */
function dropOne(held: readonly Held[]): Held[] {
  const supplies = held.map(({ supply }) => supply)
  const [lowest, highest] = [Math.min(...supplies), Math.max(...supplies)]
  return held.toSpliced(
    held.findIndex(({ supply }) => supply !== lowest && supply !== highest),
    1,
  )
}

/** As a part of what it was before. */
function changeOf(before: Pick<Held, 'supply'>, now: Pick<Held, 'supply'>): number {
  if (before.supply === now.supply) return 0
  return before.supply === 0 ? Number.POSITIVE_INFINITY : Math.abs(now.supply - before.supply) / before.supply
}
