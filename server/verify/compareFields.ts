import { type Fields, isFields } from '@chainboard/core'
import type { Difference } from './judge.ts'

/** What a field is called in a difference. */
type Naming = (field: string) => string

/** Lists that need no name: an entry of theirs is named by its address alone. */
const plainLists = ['steps', 'pools']

/**
 * Where two objects of one shape differ, field by field, so that a field that is added to the shape is compared without a word here.
 * Entries of a list that have an address (`pool` or `token`) are held against each other by it, whatever their order. Hexadecimal
 * digits may be of either case. Pure.
 */
export function compareFields(served: Fields, found: Fields, toName: Naming = (field) => field): Difference[] {
  const fields = new Set([...Object.keys(found), ...Object.keys(served)])
  return [...fields].flatMap((field) => compareOne(served[field], found[field], { field, toName }))
}

/** Nothing when both are the same. */
export function compare(what: string, served: string, found: string): Difference[] {
  const fold = (text: string) => (/^0x[0-9a-f]*$/i.test(text) ? text.toLowerCase() : text)
  return fold(served) === fold(found) ? [] : [{ what, served, found }]
}

type Place = { readonly field: string; readonly toName: Naming }

function compareOne(served: unknown, found: unknown, { field, toName }: Place): Difference[] {
  const name = toName(field)
  if (isEntries(served) && isEntries(found)) return compareEntries(served, found, { field, toName })
  if (isFields(served) && isFields(found)) return compareFields(served, found, (inner) => toName(`${field}.${inner}`))
  return compare(name, toText(served), toText(found))
}

function compareEntries(served: readonly Fields[], found: readonly Fields[], { field, toName }: Place): Difference[] {
  const name = toName(field)
  const [stated, own] = [toNumbered(served), toNumbered(found)]
  const order = (entries: readonly Fields[]) => entries.map(toId).join(', ')
  const differences = [...stated].flatMap(([key, entry]): Difference[] => {
    const twin = own.get(key)
    if (!twin) return [{ what: name, served: `${toId(entry)} counts`, found: 'that it does not' }]
    return compareFields(entry, twin, (inner) => `${plainLists.includes(field) ? '' : `${field}.`}${inner} of ${toId(entry)}`)
  })
  const missing = [...own].filter(([key]) => !stated.has(key))
  const leftOut = missing.map(([, entry]) => ({ what: name, served: `nothing of ${toId(entry)}`, found: describeLeftOut(entry) }))
  const isMixed = !plainLists.includes(field) && differences.length + leftOut.length === 0
  return [...differences, ...leftOut, ...(isMixed ? compare(name, order(served), order(found)) : [])]
}

function describeLeftOut({ weightUsd }: Fields): string {
  return weightUsd === undefined ? 'that it was left out' : `that it was left out, with a weight of ${weightUsd} US dollars`
}

/** Entries by their addresses; one that is there twice has two places. */
function toNumbered(entries: readonly Fields[]): ReadonlyMap<string, Fields> {
  const counts = new Map<string, number>()
  return new Map(
    entries.map((entry) => {
      const id = toId(entry).toLowerCase()
      const count = (counts.get(id) ?? 0) + 1
      counts.set(id, count)
      return [`${id} ${count}`, entry]
    }),
  )
}

function toId({ pool, token }: Fields): string {
  return String(pool ?? token)
}

/** A list of things that have addresses; one without anything in it, too. */
function isEntries(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.every((entry) => isFields(entry) && ('pool' in entry || 'token' in entry))
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (Array.isArray(value)) return value.map(toText).join(', ') || 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
