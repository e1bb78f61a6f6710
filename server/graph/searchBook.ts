import type { Book } from './book.ts'
import { compareKeys, meets, type SortKey, toSortKey } from './compareValues.ts'
import { getEntity } from './entities/entities.ts'
import type { Entity, Field, ReferenceField, ScalarField } from './entity.ts'
import { GraphRefusal, SchemaFault } from './graphError.ts'
import type { Order, Page } from './page.ts'
import type { Condition } from './parseWhere.ts'
import type { Row } from './row.ts'

/** A page of an entity that is kept in memory. */
export function searchBook(
  entity: Entity,
  rows: Iterable<Row>,
  { condition, order, descending, first, skip }: Page,
  book: Book,
): Row[] {
  const found = [...rows].filter((row) => matches(condition, row, book))
  const id = idField(entity)
  const keyed = found.map((row) => ({ row, key: orderKey(order, row, book), id: fieldKey(id, row, book) }))
  const sign = descending ? -1 : 1
  keyed.sort((a, b) => sign * (compareKeys(a.key, b.key) || compareKeys(a.id, b.id)))
  return keyed.slice(skip, skip + first).map(({ row }) => row)
}

/** Ids of the pools or tokens that meet a condition. */
export function listMatches(name: 'Pool' | 'Token', condition: Condition, book: Book): string[] {
  return [...bookRows(getEntity(name), book)].filter(([, row]) => matches(condition, row, book)).map(([id]) => id)
}

/** The rows of an entity that is kept in memory, by id. @throws SchemaFault for one that is kept in a table */
export function bookRows(entity: Entity, book: Book): ReadonlyMap<string, Row> {
  if (entity.source.kind !== 'book') throw new SchemaFault(`${entity.name} is not kept in memory`)
  return entity.source.rows(book)
}

/** The field that an entity begins with. */
export function idField(entity: Entity): ScalarField {
  const [id] = entity.fields
  if (id?.kind !== 'scalar') throw new SchemaFault(`${entity.name} does not begin with its id`)
  return id
}

/** Whether a row of an entity in memory meets a condition. */
export function matches(condition: Condition, row: Row, book: Book): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.of.every((each) => matches(each, row, book))
    case 'any':
      return condition.of.some((each) => matches(each, row, book))
    case 'nested':
      return matchesNested(condition.field, condition.condition, row, book)
    case 'changedSince':
      throw new GraphRefusal('Filtering by `_change_block` is not supported for entities without a block of their own')
    case 'compare': {
      const { field, operator, value } = condition
      if (field.kind === 'scalar') return meets(field.type, field.show(row, book), operator, value)
      if (field.kind === 'reference') return meets('String', field.idOf(row, book), operator, value)
      return meetsList(new Set(field.idsOf(row, book)), operator, [value].flat().map(String))
    }
  }
}

function matchesNested(field: Exclude<Field, ScalarField>, condition: Condition, row: Row, book: Book): boolean {
  if (field.kind === 'derived') throw refuseDerived(field.name)
  const rows = bookRows(getEntity(field.entity), book)
  const ids = field.kind === 'reference' ? [field.idOf(row, book)] : field.idsOf(row, book)
  return ids.some((id) => {
    const target = rows.get(id)
    return target !== undefined && matchesOnce(condition, target, book)
  })
}

const known = new WeakMap<Condition, WeakMap<Row, boolean>>()

/** Many rows refer to one, and it to many again: a nested condition is worked out once for each row, or filters would multiply. */
function matchesOnce(condition: Condition, row: Row, book: Book): boolean {
  const ofCondition = known.get(condition) ?? new WeakMap<Row, boolean>()
  known.set(condition, ofCondition)
  const met = ofCondition.get(row) ?? matches(condition, row, book)
  ofCondition.set(row, met)
  return met
}

/** Filters that would have to look through all events of everything. */
export function refuseDerived(name: string): GraphRefusal {
  return new GraphRefusal(`Filtering by \`${name}_\` is not supported: query the other type, filtered by this one`)
}

function meetsList(ids: ReadonlySet<string>, operator: string, wanted: readonly string[]): boolean {
  const holdsAll = wanted.every((id) => ids.has(id.toLowerCase()))
  const met = operator.includes('contains') ? holdsAll : holdsAll && ids.size === new Set(wanted).size
  return met !== operator.startsWith('not')
}

function orderKey(order: Order, row: Row, book: Book): SortKey {
  if (order.kind === 'id') return null
  if (order.kind === 'field') return fieldKey(order.field, row, book)
  const target = bookRows(getEntity(order.field.entity), book).get(order.field.idOf(row, book))
  return target ? fieldKey(order.child, target, book) : null
}

/** What a field of a row sorts by. */
export function fieldKey(field: ScalarField | ReferenceField, row: Row, book: Book): SortKey {
  return field.kind === 'scalar' ? toSortKey(field.type, field.show(row, book)) : field.idOf(row, book)
}
