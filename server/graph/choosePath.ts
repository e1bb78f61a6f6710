import type { Book } from './book.ts'
import type { Entity } from './entity.ts'
import type { Page } from './page.ts'
import type { Condition } from './parseWhere.ts'
import { ownersOf } from './sqlCondition.ts'
import { tableOf } from './storedColumns.ts'

/** A condition that has to hold for every row of a page, by the index that can serve it. */
export type Part = {
  readonly condition: Condition
  /**
   * `owner`: some pools or tokens · `time`: a stretch of time · `point`: known ids · `head`: a stretch of ids ·
   * `rest`: no index serves it
   */
  readonly serves: 'owner' | 'time' | 'point' | 'head' | 'rest'
  /** Pools or tokens that are left by an `owner`. */
  readonly owners: number
}

/**
 * How a page is read. `direct`: an index gives the wanted rows, by `column` in the wanted order, so a limit ends the reading. `counted`:
 * rows have to be looked through; `narrows` are the parts that an index serves, and `rides` the index that gives the order, if
 * there is one, with the parts it serves itself.
 */
export type Path =
  | { readonly kind: 'direct'; readonly column?: string }
  | {
      readonly kind: 'counted'
      readonly narrows: readonly Part[]
      readonly rides?: { readonly column: string; readonly along: readonly Part[] }
    }

/** The conditions that a page's rows have to meet one by one. */
export function splitParts(entity: Entity, condition: Condition, book: Book): Part[] {
  if (condition.kind === 'all') return condition.of.flatMap((each) => splitParts(entity, each, book))
  const owners = ownersOf(condition, entity, book)
  if (owners) return [{ condition, serves: 'owner', owners: owners.length }]
  return [{ condition, serves: servesOf(entity, condition), owners: 0 }]
}

const stretches = ['gt', 'gte', 'lt', 'lte']

function servesOf(entity: Entity, condition: Condition): Part['serves'] {
  if (condition.kind !== 'compare' || condition.value === null) return 'rest'
  const { field, operator } = condition
  const { head, time } = tableOf(entity)
  const isPoint = operator === 'is' || operator === 'in'
  if (field.kind === 'reference') return field.column === head.column && isPoint ? 'point' : 'rest'
  if (field.kind !== 'scalar') return 'rest'
  if (field.sql?.kind === 'id')
    return head.length === 0 ? 'rest' : isPoint ? 'point' : stretches.includes(operator) ? 'head' : 'rest'
  const isTime = field.sql?.kind === 'integer' && field.sql.column === time
  return isTime && (operator === 'is' || stretches.includes(operator)) ? 'time' : 'rest'
}

/** Chooses how a page is read. Pure: it looks at the conditions, not at the rows. */
export function choosePath(entity: Entity, { order }: Page, parts: readonly Part[]): Path {
  if (parts.some(({ serves }) => serves === 'point')) return { kind: 'direct' }
  const { owner, head, time } = tableOf(entity)
  const oneOwner = parts.filter(({ serves }) => serves === 'owner').length === 1 && parts.some(({ owners }) => owners === 1)
  const column = order.kind === 'id' ? head.column : order.kind === 'field' ? orderColumn(order.field) : undefined
  const ridesTime = column !== undefined && column === time
  const ridesId = order.kind === 'id' && !ridesTime
  const startsWithOwner = head.column === owner?.column
  const isServed = ({ serves }: Part): boolean => {
    if (ridesTime) return serves === 'time' || (serves === 'owner' && oneOwner)
    return ridesId && (serves === 'head' || (startsWithOwner && (serves === 'owner' || (serves === 'time' && oneOwner))))
  }
  const rides = ridesTime || ridesId
  if (rides && column !== undefined && parts.every(isServed)) return { kind: 'direct', column }
  const owners = parts.filter(({ serves }) => serves === 'owner')
  const narrows = parts.filter(
    ({ serves }) => serves === 'owner' || serves === 'time' || (serves === 'head' && owners.length === 0),
  )
  if (!rides || column === undefined) return { kind: 'counted', narrows }
  return { kind: 'counted', narrows, rides: { column, along: parts.filter(isServed) } }
}

function orderColumn(field: Extract<Page['order'], { kind: 'field' }>['field']): string | undefined {
  return field.kind === 'scalar' && field.sql?.kind === 'integer' ? field.sql.column : undefined
}
