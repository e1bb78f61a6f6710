import { getEntity } from './entities/entities.ts'
import type { Entity, ReferenceField, ScalarField } from './entity.ts'
import { argumentError, GraphRefusal, rangeError } from './graphError.ts'
import { type Condition, parseWhere } from './parseWhere.ts'

/** Entities that a list may ask for, as The Graph allows. */
export const firstMax = 1_000
/** Entities that a list may skip, as The Graph allows. */
export const skipMax = 5_000
/** Entities of a list that does not say how many. */
export const firstDefault = 100

/** What a list is sorted by; rows that are equal in it, and all rows for `id`, go by their id in the same direction. */
export type Order =
  | { readonly kind: 'id' }
  | { readonly kind: 'field'; readonly field: ScalarField | ReferenceField }
  | { readonly kind: 'nested'; readonly field: ReferenceField; readonly child: ScalarField }

/** A list's arguments, checked. */
export type Page = {
  readonly condition: Condition
  readonly order: Order
  readonly descending: boolean
  readonly first: number
  readonly skip: number
}

export type PageArguments = {
  readonly first?: number | null
  readonly skip?: number | null
  readonly orderBy?: string | null
  readonly orderDirection?: string | null
  readonly where?: unknown
}

/** Checks a list's arguments. @throws GraphRefusal in The Graph's words */
export function parsePage(entity: Entity, { first, skip, orderBy, orderDirection, where }: PageArguments): Page {
  return {
    condition: parseWhere(entity, where),
    order: parseOrder(entity, orderBy ?? 'id'),
    descending: parseDirection(orderDirection ?? 'asc'),
    first: parseRange('first', first ?? firstDefault, firstMax),
    skip: parseRange('skip', skip ?? 0, skipMax),
  }
}

/** @throws GraphRefusal for anything but a whole number from 0 to `max` */
export function parseRange(name: 'first' | 'skip', value: unknown, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw argumentError(name, value)
  if (value < 0 || value > max) throw rangeError(name, max, value)
  return value
}

function parseDirection(direction: unknown): boolean {
  if (direction !== 'asc' && direction !== 'desc') throw argumentError('orderDirection', direction)
  return direction === 'desc'
}

function parseOrder(entity: Entity, orderBy: unknown): Order {
  if (typeof orderBy !== 'string') throw argumentError('orderBy', orderBy)
  const [name, childName] = orderBy.split('__')
  const field = entity.fields.find((each) => each.name === name)
  if (!field) throw argumentError('orderBy', orderBy)
  const unsupported = new GraphRefusal(`Ordering by \`${orderBy}\` is not supported for type \`${entity.name}\``)
  if (field.kind === 'derived' || field.kind === 'stored') throw unsupported
  if (childName === undefined) {
    if (field.kind === 'scalar' && field.fromNode) throw unsupported
    return field.name === 'id' ? { kind: 'id' } : { kind: 'field', field }
  }
  const child = field.kind === 'reference' && getEntity(field.entity).fields.find((each) => each.name === childName)
  if (child === false || child?.kind !== 'scalar') throw argumentError('orderBy', orderBy)
  if (child.fromNode) throw unsupported
  return { kind: 'nested', field, child }
}
