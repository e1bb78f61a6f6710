import { type Address, daySeconds } from '@chainboard/core'

/** A change of more than this part of a supply is worth a word. */
const changeShare = 0.1
/** Supplies of a day that are kept for a token; of more than these the lowest and the highest stay. */
const kindsMax = 50

/** Whole tokens, and when, in unix seconds. */
export type SeenSupply = { readonly supply: number; readonly seenAtSeconds: number }

/** The supply that was furthest from the present one when it was last seen, and the present one when it was first seen. */
export type SupplyChange = { readonly from: SeenSupply; readonly to: SeenSupply }

/** A supply from when it was first seen until it was last seen. */
type Held = { readonly supply: number; readonly firstSeconds: number; readonly lastSeconds: number }

type Entry = { recent: number[]; held: Held[] }

export type SupplyBook = {
  /** Takes a reading of the chain, in whole tokens; of a token that is not listed nothing is kept. */
  note(token: Address, supply: number, atSeconds: number): void
  /** Whole tokens by the last three readings; undefined before there are three. */
  find(token: Address): number | undefined
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
    note: (token, supply, atSeconds) => {
      if (!isListed(token)) return void entries.delete(token)
      const entry = entries.get(token) ?? { recent: [], held: [] }
      entries.set(token, entry)
      entry.recent = [...entry.recent, supply].slice(-3)
      const median = medianOfThree(entry.recent)
      if (median !== undefined) entry.held = hold(entry.held, median, atSeconds)
    },
    find: (token) => entries.get(token)?.held.at(-1)?.supply,
    findChange: (token, nowSeconds) => {
      const held = entries.get(token)?.held ?? []
      const now = held.at(-1)
      if (!now || held.length === 1) return undefined
      const before = held.slice(0, -1).filter(({ lastSeconds }) => lastSeconds > nowSeconds - daySeconds)
      const [furthest] = before.toSorted((a, b) => changeOf(b, now) - changeOf(a, now))
      if (!furthest || changeOf(furthest, now) <= changeShare) return undefined
      return {
        from: { supply: furthest.supply, seenAtSeconds: furthest.lastSeconds },
        to: { supply: now.supply, seenAtSeconds: now.firstSeconds },
      }
    },
  }
}

function medianOfThree(readings: readonly number[]): number | undefined {
  return readings.length < 3 ? undefined : readings.toSorted((a, b) => a - b)[1]
}

function hold(held: readonly Held[], supply: number, atSeconds: number): Held[] {
  const last = held.at(-1)
  if (last?.supply === supply) return [...held.slice(0, -1), { ...last, lastSeconds: atSeconds }]
  const kept = held.filter(({ lastSeconds }) => lastSeconds > atSeconds - daySeconds)
  return [...(kept.length < kindsMax ? kept : dropOne(kept)), { supply, firstSeconds: atSeconds, lastSeconds: atSeconds }]
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
function changeOf(before: Held, now: Held): number {
  if (before.supply === now.supply) return 0
  return before.supply === 0 ? Number.POSITIVE_INFINITY : Math.abs(now.supply - before.supply) / before.supply
}
